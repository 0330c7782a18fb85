package org.stage.backend.chakra.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.HexFormat;

/** Values of single fields as text that says them exactly, and back. */
public final class Scalars {
  private Scalars() {}

  /** The value as text: unsigned numbers without a sign, bytes in hexadecimal. */
  public static String text(FieldDescriptor field, Object value) {
    return switch (field.getType()) {
      case UINT32, FIXED32 -> Integer.toUnsignedString((Integer) value);
      case UINT64, FIXED64 -> Long.toUnsignedString((Long) value);
      case BYTES -> HexFormat.of().formatHex(((ByteString) value).toByteArray());
      default -> value.toString();
    };
  }

  /**
   * The value that {@code text} says.
   *
   * @throws IllegalArgumentException if it says none of that type
   */
  public static Object parse(FieldDescriptor field, String text) {
    return switch (field.getType()) {
      case UINT32, FIXED32 -> Integer.parseUnsignedInt(text);
      case UINT64, FIXED64 -> Long.parseUnsignedLong(text);
      case INT32, SINT32, SFIXED32 -> Integer.valueOf(text);
      case INT64, SINT64, SFIXED64 -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case BOOL -> bool(text);
      case STRING -> text;
      case BYTES -> ByteString.copyFrom(HexFormat.of().parseHex(text));
      case ENUM, MESSAGE, GROUP -> throw new IllegalArgumentException(field + " is not single");
    };
  }

  private static boolean bool(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(text + " is neither true nor false");
    }
    return text.equals("true");
  }
}
