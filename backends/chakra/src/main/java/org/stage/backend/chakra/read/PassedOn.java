package org.stage.backend.chakra.read;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.Attribute;
import org.stage.backend.chakra.format.Scalars;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.IOInfo;

/**
 * Attributes of Chakra as attributes of a workload, and back: the type is the name of the field
 * that holds the value. What a message has besides attributes gets types that no attribute has.
 */
public final class PassedOn {
  /** The type of a node's {@code inputs} and {@code outputs}: values, shapes, types. */
  public static final String IO_INFO = "io_info";

  /** The type of the version in the metadata. */
  public static final String VERSION = "version";

  private static final OneofDescriptor VALUE = AttributeProto.getDescriptor().getOneofs().get(0);

  /** Traces say the same things again and again: so many of them are kept once. */
  private static final int SHARED = 1 << 14;

  private final Map<Attribute, Attribute> shared = new HashMap<>();

  /** The attribute; equal ones are mostly one object. */
  Attribute of(AttributeProto proto) {
    return share(text(proto));
  }

  /** What a profiler saw of the arguments of a node. */
  Attribute of(String name, IOInfo info) {
    return share(
        new Attribute(name, IO_INFO, List.of(info.getValues(), info.getShapes(), info.getTypes())));
  }

  private Attribute share(Attribute attribute) {
    if (shared.size() >= SHARED) {
      return shared.getOrDefault(attribute, attribute);
    }
    Attribute known = shared.putIfAbsent(attribute, attribute);
    return known == null ? attribute : known;
  }

  /** What the metadata say. */
  static List<Attribute> of(GlobalMetadata metadata) {
    List<Attribute> attributes = new ArrayList<>();
    attributes.add(new Attribute(VERSION, VERSION, List.of(metadata.getVersion())));
    metadata.getAttrList().forEach(each -> attributes.add(text(each)));
    return attributes;
  }

  static Attribute text(AttributeProto proto) {
    FieldDescriptor field = proto.getOneofFieldDescriptor(VALUE);
    if (field == null) {
      return new Attribute(proto.getName(), "", List.of());
    }
    Object value = proto.getField(field);
    if (!(value instanceof Message list)) {
      String text = Scalars.text(field, value);
      return new Attribute(proto.getName(), field.getName(), List.of(text));
    }
    FieldDescriptor element = element(field);
    List<String> values = new ArrayList<>();
    for (int i = 0; i < list.getRepeatedFieldCount(element); i++) {
      values.add(Scalars.text(element, list.getRepeatedField(element, i)));
    }
    return new Attribute(proto.getName(), field.getName(), values);
  }

  /** The attribute as Chakra has it; a type that Chakra does not have becomes a list of strings. */
  public static AttributeProto proto(Attribute attribute) {
    AttributeProto.Builder proto = AttributeProto.newBuilder().setName(attribute.name());
    if (attribute.type().isEmpty()) {
      return proto.build();
    }
    FieldDescriptor field = AttributeProto.getDescriptor().findFieldByName(attribute.type());
    if (field == null || field.getContainingOneof() != VALUE) {
      field = AttributeProto.getDescriptor().findFieldByName("string_list");
    }
    if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
      return proto.setField(field, Scalars.parse(field, attribute.values().get(0))).build();
    }
    FieldDescriptor element = element(field);
    Message.Builder list = proto.newBuilderForField(field);
    for (String value : attribute.values()) {
      list.addRepeatedField(element, Scalars.parse(element, value));
    }
    return proto.setField(field, list.build()).build();
  }

  /** The arguments of a node, from an attribute of the type {@link #IO_INFO}. */
  public static IOInfo ioInfo(Attribute attribute) {
    List<String> values = attribute.values();
    return IOInfo.newBuilder()
        .setValues(values.get(0))
        .setShapes(values.get(1))
        .setTypes(values.get(2))
        .build();
  }

  private static FieldDescriptor element(FieldDescriptor list) {
    return list.getMessageType().getFields().get(0);
  }
}
