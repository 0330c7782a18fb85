package org.stage.backend.scalesim.format;

import java.util.Locale;

/** Which operand stays in the array while the others stream through. */
public enum Dataflow {
  /** Output stationary. */
  OS,
  /** Weight stationary. */
  WS,
  /** Input stationary. */
  IS;

  /** The name in a configuration: {@code ws}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Folds of the operand that stays, over rows and columns of the array. */
  long folds(Gemm gemm, long height, long width) {
    return switch (this) {
      case OS -> Math.multiplyExact(fold(gemm.m(), height), fold(gemm.n(), width));
      case WS -> Math.multiplyExact(fold(gemm.k(), height), fold(gemm.n(), width));
      case IS -> Math.multiplyExact(fold(gemm.k(), height), fold(gemm.m(), width));
    };
  }

  /** Cycles of one fold. */
  long perFold(Gemm gemm, long height, long width) {
    return switch (this) {
      case OS -> Math.addExact(gemm.k(), height + width - 2);
      case WS -> Math.addExact(gemm.m(), 2 * height + width - 2);
      case IS -> Math.addExact(gemm.n(), 2 * height + width - 2);
    };
  }

  private static long fold(long size, long array) {
    return (size - 1) / array + 1;
  }
}
