package org.stage.api.workload;

import java.util.Locale;

/** The type of an element of a tensor, with its size. */
public enum DataType {
  /** 8-bit float. */
  FP8(1),
  /** Brain float, 16 bits. */
  BF16(2),
  /** IEEE half precision, 16 bits. */
  FP16(2),
  /** IEEE single precision, 32 bits. */
  FP32(4),
  /** Integer of 64 bits, for indices. */
  INT64(8),
  /** Truth value, one byte. */
  BOOL(1),
  /** One byte of data whose type is not known, as foreign traces count. */
  BYTE(1);

  private final int bytes;

  DataType(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes per element. */
  public int bytes() {
    return bytes;
  }

  /**
   * Bytes of so many elements.
   *
   * @throws ArithmeticException if they do not fit 63 bits
   */
  public long bytes(long elements) {
    return Math.multiplyExact(elements, (long) bytes);
  }

  /** The name in files: {@code bf16}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
