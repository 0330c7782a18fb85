package org.stage.numeric;

/** Activation functions and their derivatives. */
final class Pointwise {
  private static final double ROOT = Math.sqrt(2 / Math.PI);
  private static final double CUBIC = 0.044715;

  private Pointwise() {}

  static double gelu(double x) {
    return 0.5 * x * (1 + Math.tanh(ROOT * (x + CUBIC * x * x * x)));
  }

  static double dGelu(double x) {
    double t = Math.tanh(ROOT * (x + CUBIC * x * x * x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * ROOT * (1 + 3 * CUBIC * x * x);
  }

  static double silu(double x) {
    return x / (1 + Math.exp(-x));
  }

  static double dSilu(double x) {
    double sigmoid = 1 / (1 + Math.exp(-x));
    return sigmoid * (1 + x * (1 - sigmoid));
  }
}
