package org.stage.numeric;

import java.util.List;

/** Casts to 8 bits without their rounding: a tensor over its scales, and times them. */
final class EightBits {
  private EightBits() {}

  /** Each block of a row over its largest absolute value, and these. */
  static List<Dense> castInBlocks(Dense x, int[] shape) {
    Dense scales = Dense.zeros(shape);
    for (int i = 0; i < x.data.length; i++) {
      int block = block(i, x, scales);
      scales.data[block] = Math.max(scales.data[block], Math.abs(x.data[i]));
    }
    Dense cast = Dense.zeros(x.shape);
    for (int i = 0; i < x.data.length; i++) {
      cast.data[i] = x.data[i] / scales.data[block(i, x, scales)];
    }
    return List.of(cast, scales);
  }

  /** What was cast: with one scale, or one for each block of each row. */
  static Dense uncast(Dense cast, Dense scales) {
    Dense x = Dense.zeros(cast.shape);
    for (int i = 0; i < x.data.length; i++) {
      x.data[i] = cast.data[i] * scales.data[scales.rank() == 0 ? 0 : block(i, cast, scales)];
    }
    return x;
  }

  /** The scale of an element; the last block of a row may be narrower. */
  private static int block(int element, Dense x, Dense scales) {
    int width = (x.width() + scales.width() - 1) / scales.width();
    return element / x.width() * scales.width() + element % x.width() / width;
  }
}
