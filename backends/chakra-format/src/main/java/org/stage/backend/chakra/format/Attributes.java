package org.stage.backend.chakra.format;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.BoolList;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.StringList;

/**
 * Named values of a node. The kind that a value is written with matters: older feeders read an
 * attribute of an unexpected kind as 0 without a word.
 */
public final class Attributes {
  private Attributes() {}

  /** A {@code bool_val}. */
  public static AttributeProto bool(String name, boolean value) {
    return AttributeProto.newBuilder().setName(name).setBoolVal(value).build();
  }

  /** An {@code int32_val}. */
  public static AttributeProto int32(String name, int value) {
    return AttributeProto.newBuilder().setName(name).setInt32Val(value).build();
  }

  /** An {@code int64_val}. */
  public static AttributeProto int64(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setInt64Val(value).build();
  }

  /** A {@code uint64_val}. */
  public static AttributeProto uint64(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setUint64Val(value).build();
  }

  /** A {@code string_val}. */
  public static AttributeProto string(String name, String value) {
    return AttributeProto.newBuilder().setName(name).setStringVal(value).build();
  }

  /** A {@code bool_list}. */
  public static AttributeProto bools(String name, List<Boolean> values) {
    BoolList list = BoolList.newBuilder().addAllValues(values).build();
    return AttributeProto.newBuilder().setName(name).setBoolList(list).build();
  }

  /** A {@code string_list}. */
  public static AttributeProto strings(String name, List<String> values) {
    StringList list = StringList.newBuilder().addAllValues(values).build();
    return AttributeProto.newBuilder().setName(name).setStringList(list).build();
  }

  /** The first attribute of that name, which is the one that counts. */
  public static @Nullable AttributeProto find(Node node, String name) {
    for (int i = 0; i < node.getAttrCount(); i++) {
      if (node.getAttr(i).getName().equals(name)) {
        return node.getAttr(i);
      }
    }
    return null;
  }

  /** The value of an attribute of any integer kind or bool; empty for any other kind. */
  public static OptionalLong integer(AttributeProto attribute) {
    return switch (attribute.getValueCase()) {
      case BOOL_VAL -> OptionalLong.of(attribute.getBoolVal() ? 1 : 0);
      case INT32_VAL -> OptionalLong.of(attribute.getInt32Val());
      case INT64_VAL -> OptionalLong.of(attribute.getInt64Val());
      case UINT32_VAL -> OptionalLong.of(Integer.toUnsignedLong(attribute.getUint32Val()));
      case UINT64_VAL -> OptionalLong.of(attribute.getUint64Val());
      case SINT32_VAL -> OptionalLong.of(attribute.getSint32Val());
      case SINT64_VAL -> OptionalLong.of(attribute.getSint64Val());
      case FIXED32_VAL -> OptionalLong.of(Integer.toUnsignedLong(attribute.getFixed32Val()));
      case FIXED64_VAL -> OptionalLong.of(attribute.getFixed64Val());
      case SFIXED32_VAL -> OptionalLong.of(attribute.getSfixed32Val());
      case SFIXED64_VAL -> OptionalLong.of(attribute.getSfixed64Val());
      default -> OptionalLong.empty();
    };
  }
}
