package org.stage.api.graph;

import java.util.Locale;

/** What the elements of a tensor stand for; the job's precision turns it into a data type. */
public enum Element {
  /** Parameters, in the precision of the weights. */
  WEIGHT,
  /** Activations and their gradients, in the precision of the activations. */
  ACTIVATION,
  /** What matrix products read where they compute in 8 bits: 8-bit floats, to be scaled. */
  QUANTIZED,
  /** Accumulated gradients of parameters, in the precision of their reduction. */
  GRADIENT,
  /** Statistics that are kept in 32-bit floats: normalisers, maxima, losses. */
  STATISTIC,
  /** Token and position indices, 64-bit integers. */
  INDEX,
  /** Which elements dropout let pass, one byte each. */
  MASK;

  /** The name in the textual form: {@code weight}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
