package org.stage.plugin.kineto.format;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What an event is, by its category, in the words of all versions and vendors. */
public enum Category {
  /** A kernel on the device. */
  KERNEL,
  /** A copy on the device, or between it and the host. */
  COPY,
  /** Memory of the device filled with a value. */
  FILL,
  /** A call into the runtime or driver, which may launch work. */
  LAUNCH,
  /** An operator on the host. */
  OPERATOR,
  /** A range that the program marks. */
  ANNOTATION,
  /** A call of a module, one of the Python functions. */
  MODULE,
  /** All else, which is not kept. */
  OTHER;

  private static final Category[] ALL = values();

  static {
    for (int i = 0; i < ALL.length; i++) {
      ALL[i].number = i;
    }
  }

  private int number;

  static Category of(int number) {
    return ALL[number];
  }

  /** Its number, below 8, by which {@link #of(int)} gives it. */
  int number() {
    return number;
  }

  static Category of(byte[] name) {
    String lower = new String(name, StandardCharsets.UTF_8).strip().toLowerCase(Locale.ROOT);
    return switch (lower) {
      case "kernel", "mtia_ccp_events" -> KERNEL;
      case "gpu_memcpy", "memcpy" -> COPY;
      case "gpu_memset", "memset" -> FILL;
      case "runtime" -> LAUNCH;
      case "cpu_op", "operator" -> OPERATOR;
      case "user_annotation" -> ANNOTATION;
      case "python_function" -> MODULE;
      default -> lower.endsWith("_runtime") || lower.endsWith("_driver") ? LAUNCH : OTHER;
    };
  }
}
