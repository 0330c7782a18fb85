package org.stage.backend.chakra.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.stage.backend.chakra.format.proto.Node;

/**
 * Fields of messages from JSON, by the names of the schema or in camel case; numbers may be
 * strings, as protobuf writes those of 64 bits.
 */
final class JsonMessages {
  private final Path file;
  private final JsonParser json;
  private String version = "";

  JsonMessages(Path file, JsonParser json) {
    this.file = file;
    this.json = json;
  }

  static boolean isId(String name) {
    return name.equals("id");
  }

  /** The version, if the object was metadata. */
  String version() {
    return version;
  }

  /** Puts the value at which the parser stands into the field of that name. */
  void field(Message.Builder message, String name) throws IOException {
    FieldDescriptor field = find(message, name);
    if (field == null) {
      if (name.equals("version") && message instanceof Node.Builder) {
        version = json.getText();
        return;
      }
      throw fault(
          "'" + name + "' is no field of a Chakra " + message.getDescriptorForType().getName());
    }
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    if (!field.isRepeated()) {
      message.setField(field, value(message, field));
      return;
    }
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw fault("'" + name + "' is no list");
    }
    while (json.nextToken() != JsonToken.END_ARRAY) {
      message.addRepeatedField(field, value(message, field));
    }
  }

  private static @Nullable FieldDescriptor find(Message.Builder message, String name) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.getName().equals(name) || field.getJsonName().equals(name)) {
        return field;
      }
    }
    return null;
  }

  private Object value(Message.Builder parent, FieldDescriptor field) throws IOException {
    if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        throw fault("'" + field.getName() + "' is no object");
      }
      Message.Builder message = parent.newBuilderForField(field);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        field(message, name);
      }
      return message.build();
    }
    if (!json.currentToken().isScalarValue()) {
      throw fault("'" + field.getName() + "' is no single value");
    }
    String text = json.getText();
    try {
      return scalar(field, text);
    } catch (IllegalArgumentException e) {
      throw fault("'" + text + "' is no " + field.getName() + " (" + field.getType() + ")");
    }
  }

  private static Object scalar(FieldDescriptor field, String text) {
    return switch (field.getType()) {
      case ENUM -> constant(field, text);
      case BYTES -> ByteString.copyFrom(Base64.getDecoder().decode(text));
      default -> Scalars.parse(field, text);
    };
  }

  private static EnumValueDescriptor constant(FieldDescriptor field, String text) {
    EnumValueDescriptor named = field.getEnumType().findValueByName(text);
    return named != null
        ? named
        : field.getEnumType().findValueByNumberCreatingIfUnknown(Integer.parseInt(text));
  }

  private TraceFormatException fault(String problem) {
    long offset = Math.max(0, json.currentTokenLocation().getByteOffset());
    return new TraceFormatException(file, offset, problem, null);
  }
}
