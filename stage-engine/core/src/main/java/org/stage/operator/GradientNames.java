package org.stage.operator;

/** How differentiation names what it makes, from the names of what it is made of. */
public final class GradientNames {
  private static final String GRADIENT = ".grad";

  private GradientNames() {}

  /** The gradient of a tensor, and the operator that makes the gradients of all inputs of one. */
  public static String of(String name) {
    return name + GRADIENT;
  }

  /** Whether it is the name of the whole gradient of a tensor. */
  public static boolean isGradient(String name) {
    return name.endsWith(GRADIENT);
  }

  /**
   * The tensor whose gradient has this name.
   *
   * @throws IllegalArgumentException if no gradient has
   */
  public static String tensor(String gradient) {
    if (!isGradient(gradient)) {
      throw new IllegalArgumentException("no gradient is called " + gradient);
    }
    return gradient.substring(0, gradient.length() - GRADIENT.length());
  }

  /** One of several contributions to the gradient of a tensor, counted from 1. */
  public static String contribution(String tensor, int number) {
    return of(tensor) + "." + number;
  }

  /** The whole gradient of an output, whose plain name is taken by what comes from outside. */
  public static String whole(String tensor) {
    return of(tensor) + ".whole";
  }

  /** A gradient before it is summed over repetitions. */
  public static String each(String tensor) {
    return of(tensor) + ".each";
  }

  /** The operator that adds up what makes {@code tensor}. */
  public static String sum(String tensor) {
    return tensor + ".sum";
  }

  /** The operator that makes the gradient of a product's activation. */
  static String ofActivation(String operator) {
    return operator + ".dgrad";
  }

  /** The operator that makes the gradient of a product's weight. */
  static String ofWeight(String operator) {
    return operator + ".wgrad";
  }

  /** The operator that makes the gradient of one of two activations of a product. */
  static String ofFactor(String operator, int factor) {
    return of(operator) + "_" + factor;
  }
}
