package org.stage.plugin.pytorchet.format;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.stage.plugin.kineto.format.Communication;
import org.stage.plugin.kineto.format.Communication.ProcessGroup;
import org.stage.plugin.kineto.format.Signature;

/** Makes a node of a record, by its shape rather than by the schema that the file names. */
final class NodeReader {
  private static final String COMMUNICATION = "record_param_comms";
  private static final int NUMEL = 3;
  private static final int TENSOR = 6;

  private NodeReader() {}

  static EtNode node(Map<?, ?> record) {
    Map<String, String> attributes = attributes(record);
    boolean nested = record.get("inputs") instanceof Map<?, ?>;
    Map<?, ?> inputs = record.get("inputs") instanceof Map<?, ?> inner ? inner : record;
    List<?> shapes = list(inputs, nested ? "shapes" : "input_shapes");
    List<?> types = list(inputs, nested ? "types" : "input_types");
    List<?> values = list(inputs, nested ? "values" : "inputs");
    String name = text(record, "name");
    String parent = record.containsKey("ctrl_deps") ? "ctrl_deps" : "parent";
    return new EtNode(
        number(text(record, "id")),
        number(text(record, parent)),
        name,
        number(attributes.getOrDefault("rf_id", text(record, "rf_id"))),
        attributes.getOrDefault("tid", text(record, "tid")),
        new Signature(shapes.toString(), types(types), ""),
        name.equals(COMMUNICATION) ? communication(attributes, types, values) : Communication.NONE);
  }

  private static Map<String, String> attributes(Map<?, ?> record) {
    Map<String, String> attributes = new HashMap<>();
    for (Object each : list(record, "attrs")) {
      if (each instanceof Map<?, ?> map && map.get("value") instanceof String value) {
        attributes.put(text(map, "name"), value);
      }
    }
    return attributes;
  }

  /** As a profile writes them: {@code ["float", "Scalar"]}. */
  private static String types(List<?> types) {
    return types.stream()
        .map(each -> '"' + type(String.valueOf(each)) + '"')
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String type(String type) {
    if (type.startsWith("Tensor(") && type.endsWith(")")) {
      return type.substring("Tensor(".length(), type.length() - 1);
    }
    return type.startsWith("GenericList[Tensor(") ? "TensorList" : "Scalar";
  }

  /** From 1.1.0 on attributes say it; before, the inputs do, without names. */
  private static Communication communication(
      Map<String, String> attributes, List<?> types, List<?> values) {
    if (attributes.containsKey("collective_name")) {
      return new Communication(
          attributes.getOrDefault("collective_name", ""),
          number(attributes.getOrDefault("in_msg_nelems", "")),
          number(attributes.getOrDefault("out_msg_nelems", "")),
          attributes.getOrDefault("dtype", ""),
          new ProcessGroup(
              attributes.getOrDefault("pg_name", ""),
              attributes.getOrDefault("pg_desc", ""),
              (int) Math.max(0, Math.min(1 << 24, number(attributes.getOrDefault("pg_size", "")))),
              ""));
    }
    String collective = "";
    long elements = -1;
    String dataType = "";
    for (int i = 0; i < Math.min(types.size(), values.size()); i++) {
      String type = String.valueOf(types.get(i));
      if (type.equals("String") && collective.isEmpty()) {
        collective = String.valueOf(values.get(i));
      } else if (elements < 0
          && type.startsWith("Tensor(")
          && values.get(i) instanceof List<?> tensor
          && tensor.size() >= TENSOR) {
        elements = number(String.valueOf(tensor.get(NUMEL)));
        dataType = type(type);
      }
    }
    return new Communication(collective, elements, -1, dataType, ProcessGroup.UNKNOWN);
  }

  private static List<?> list(Map<?, ?> map, String key) {
    return map.get(key) instanceof List<?> list ? list : List.of();
  }

  private static String text(Map<?, ?> map, String key) {
    return map.get(key) instanceof String text ? text : "";
  }

  private static long number(String text) {
    if (!text.matches("\\d{1,18}")) {
      return -1;
    }
    return Long.parseLong(text);
  }
}
