package org.stage.backend.chakra.read;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.stage.api.workload.Node.Collective.Kind;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.AttributeProto.ValueCase;
import org.stage.backend.chakra.format.proto.CollectiveCommType;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;

/** Attributes of one node, with refusals of those of a kind that says something else. */
record NodeReading(Path file, Node node) {
  /** A whole number, 0 if it is not there. */
  long number(String name) {
    return optional(name).orElse(0);
  }

  /** A whole number of 31 bits, 0 if it is not there. */
  int small(String name) {
    long value = number(name);
    if (value > Integer.MAX_VALUE) {
      throw At.refuse(file, node, "has the " + name + " " + value, "It must be below 2^31.");
    }
    return (int) value;
  }

  /** A whole number that is not negative; a value of any integer kind, or a bool. */
  OptionalLong optional(String name) {
    AttributeProto attribute = Attributes.find(node, name);
    if (attribute == null) {
      return OptionalLong.empty();
    }
    OptionalLong value = Attributes.integer(attribute);
    if (value.isEmpty()) {
      throw At.refuse(
          file,
          node,
          "has a " + name + " that is no integer (" + attribute.getValueCase() + ")",
          "Write it as an integer.");
    }
    if (value.getAsLong() < 0) {
      throw At.refuse(
          file,
          node,
          "has a " + name + " that is negative or beyond 2^63",
          "Write what it really is.");
    }
    return value;
  }

  /** A text, or {@code otherwise} if there is none. */
  String text(String name, String otherwise) {
    AttributeProto attribute = Attributes.find(node, name);
    return attribute != null && attribute.getValueCase() == ValueCase.STRING_VAL
        ? attribute.getStringVal()
        : otherwise;
  }

  /** Microseconds as nanoseconds; 0 means that nobody knows. */
  OptionalLong time(String field, long micros) {
    if (micros < 0 || micros > Long.MAX_VALUE / 1000) {
      throw At.refuse(
          file,
          node,
          "has the " + field + " " + Long.toUnsignedString(micros),
          "Times are below 2^63 nanoseconds.");
    }
    return micros == 0 ? OptionalLong.empty() : OptionalLong.of(1000 * micros);
  }

  /** Why a node of such a type can only be passed on; empty if it says all that it must. */
  String lacks() {
    return switch (node.getType()) {
      case COMP_NODE, MEM_LOAD_NODE, MEM_STORE_NODE, METADATA_NODE, INVALID_NODE -> "";
      case COMM_SEND_NODE -> optional("comm_dst").isEmpty() ? "comm_dst" : "";
      case COMM_RECV_NODE -> optional("comm_src").isEmpty() ? "comm_src" : "";
      case COMM_COLL_NODE -> {
        OptionalLong type = optional("comm_type");
        yield type.isEmpty() || !isKind(type.getAsLong()) ? "a known comm_type" : "";
      }
      case UNRECOGNIZED -> "a known type";
    };
  }

  private static boolean isKind(long type) {
    return type <= CollectiveCommType.BARRIER_VALUE;
  }

  /** The kind of a collective that lacks nothing. */
  Kind kind() {
    CollectiveCommType type = CollectiveCommType.forNumber(small("comm_type"));
    return switch (type == null ? CollectiveCommType.UNRECOGNIZED : type) {
      case ALL_REDUCE -> Kind.ALL_REDUCE;
      case REDUCE -> Kind.REDUCE;
      case ALL_GATHER -> Kind.ALL_GATHER;
      case GATHER -> Kind.GATHER;
      case SCATTER -> Kind.SCATTER;
      case BROADCAST -> Kind.BROADCAST;
      case ALL_TO_ALL -> Kind.ALL_TO_ALL;
      // a block is one part of equal size, which is all that this kind means here
      case REDUCE_SCATTER, REDUCE_SCATTER_BLOCK -> Kind.REDUCE_SCATTER;
      case BARRIER -> Kind.BARRIER;
      case UNRECOGNIZED -> throw At.refuse(file, node, "has no known comm_type", "");
    };
  }

  boolean isMessage() {
    return node.getType() == NodeType.COMM_SEND_NODE || node.getType() == NodeType.COMM_RECV_NODE;
  }
}
