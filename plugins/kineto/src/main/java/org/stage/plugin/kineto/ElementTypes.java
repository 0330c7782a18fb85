package org.stage.plugin.kineto;

import java.util.Locale;

/** Types of elements, as PyTorch calls them in various places. */
final class ElementTypes {
  private ElementTypes() {}

  /** As STAGE writes it, if it has such a type; else as it is. */
  static String text(String type) {
    String name = plain(type);
    if (name.startsWith("float8")) {
      return "fp8";
    }
    return switch (name) {
      case "bfloat16" -> "bf16";
      case "half", "float16" -> "fp16";
      case "float", "float32" -> "fp32";
      case "long", "long int", "int64" -> "int64";
      case "bool" -> "bool";
      case "scalar", "scalarlist", "tensorlist", "" -> "";
      default -> name;
    };
  }

  /** Bytes of an element; 0 if the type is not known. */
  static int bytes(String type) {
    String name = plain(type);
    if (name.startsWith("float8")) {
      return 1;
    }
    return switch (name) {
      case "bfloat16", "half", "float16", "short", "short int", "int16" -> 2;
      case "float", "float32", "int", "int32", "unsigned int" -> 4;
      case "double", "float64", "long", "long int", "int64", "complexfloat" -> 8;
      case "complexdouble" -> 16;
      case "byte", "char", "bool", "uint8", "int8", "unsigned char", "signed char" -> 1;
      default -> 0;
    };
  }

  private static String plain(String type) {
    String name = type.startsWith("c10::") ? type.substring("c10::".length()) : type;
    return name.toLowerCase(Locale.ROOT);
  }
}
