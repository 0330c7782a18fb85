package org.stage.backend.genie.check;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.stage.api.diagnostic.Faults;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.AttributeProto.ValueCase;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;
import org.stage.backend.genie.format.Limits;

/**
 * Checks what a node says for itself.
 *
 * @param faults where faults go
 */
record NodeCheck(Faults faults) {
  /** The kinds that the older feeder reads; others are 0 to it. */
  private static final Map<String, ValueCase> KINDS =
      Map.of(
          "is_cpu_op", ValueCase.BOOL_VAL,
          "num_ops", ValueCase.INT64_VAL,
          "tensor_size", ValueCase.UINT64_VAL,
          "comm_type", ValueCase.INT64_VAL,
          "comm_size", ValueCase.INT64_VAL,
          "comm_src", ValueCase.INT32_VAL,
          "comm_dst", ValueCase.INT32_VAL,
          "comm_tag", ValueCase.INT32_VAL,
          "pg_name", ValueCase.STRING_VAL);

  private static final Map<NodeType, List<String>> REQUIRED =
      Map.of(
          NodeType.COMP_NODE, List.of(),
          NodeType.COMM_SEND_NODE, List.of("comm_dst", "comm_tag", "comm_size"),
          NodeType.COMM_RECV_NODE, List.of("comm_src", "comm_tag", "comm_size"),
          NodeType.COMM_COLL_NODE, List.of("comm_type", "comm_size"));

  void check(String source, Node node) {
    if (Long.compareUnsigned(node.getId(), Limits.IDS) >= 0) {
      faults.error(
          source,
          "its id is not below " + Limits.IDS + ", where Genie's Chrome trace ends",
          "Number nodes from 1 up.");
    }
    List<String> required = REQUIRED.get(node.getType());
    if (required == null) {
      faults.error(
          source, "its type " + node.getType() + " is nothing that Genie drives", "Leave it out.");
      return;
    }
    for (String name : required) {
      if (Attributes.find(node, name) == null) {
        faults.error(source, "it has no " + name, "Genie stops without it.");
      }
    }
    node.getAttrList().forEach(attribute -> checkKind(source, attribute));
    if (node.getType() == NodeType.COMP_NODE) {
      checkCompute(source, node);
    } else {
      checkTransfer(source, node);
    }
    if (!node.getDataDepsList().containsAll(node.getCtrlDepsList())) {
      faults.warning(
          source, "the older feeder does not see its ctrl_deps", "Write them to data_deps.");
    }
  }

  private void checkKind(String source, AttributeProto attribute) {
    Optional<ValueCase> kind = Optional.ofNullable(KINDS.get(attribute.getName()));
    if (kind.isPresent() && attribute.getValueCase() != kind.get()) {
      faults.error(
          source,
          attribute.getName()
              + " is "
              + text(attribute.getValueCase())
              + ", which the older feeder reads as 0",
          "Write " + text(kind.get()) + ".");
    }
  }

  private static String text(ValueCase kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private void checkCompute(String source, Node node) {
    if (node.getDurationMicros() > 0) {
      return;
    }
    if (integer(node, "num_ops") < 1) {
      faults.error(
          source,
          "it has neither duration_micros nor num_ops, on which Genie stops",
          "Give a duration.");
    } else {
      faults.warning(
          source, "it has no duration_micros, so Genie does not wait for it", "Give a duration.");
    }
  }

  private void checkTransfer(String source, Node node) {
    if (integer(node, "is_cpu_op") == 1) {
      faults.error(source, "it is a transfer of the host", "Set is_cpu_op to false.");
    }
    if (Attributes.find(node, "comm_size") != null && integer(node, "comm_size") < 1) {
      faults.error(source, "it transfers nothing", "Leave it out.");
    }
  }

  /** The value; 0 where there is none. */
  static long integer(Node node, String name) {
    AttributeProto attribute = Attributes.find(node, name);
    return attribute == null ? 0 : Attributes.integer(attribute).orElse(0);
  }
}
