package org.stage.backend.chakra.check;

import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.Faults;
import org.stage.backend.chakra.check.Communicators.Communicator;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.AttributeProto.ValueCase;
import org.stage.backend.chakra.format.proto.CollectiveCommType;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;

/** Checks the nodes of one rank, each by itself. */
final class NodeCheck {
  private static final Set<Long> SIMULATED =
      Set.of(
          (long) CollectiveCommType.ALL_REDUCE_VALUE,
          (long) CollectiveCommType.ALL_GATHER_VALUE,
          (long) CollectiveCommType.ALL_TO_ALL_VALUE,
          (long) CollectiveCommType.REDUCE_SCATTER_VALUE);

  /** What may name a group; 0 means all ranks. */
  static final String GROUP_ID = "0*[1-9]\\d{0,8}";

  private static final long MAX_BYTES = 1L << 62;

  private final int rank;
  private final Path file;
  private final Communicators communicators;
  private final Kinds kinds;
  private final SystemKeys system;
  private final Faults faults;
  private long onCpu;
  private long roots;
  private String tinyRoot = "";

  private Node node = Node.getDefaultInstance();

  NodeCheck(int rank, Path file, SetContext set) {
    this.rank = rank;
    this.file = file;
    this.communicators = set.communicators();
    this.kinds = set.kinds();
    this.system = set.system();
    this.faults = set.faults();
  }

  /**
   * Checks one.
   *
   * @return what it exchanges, and with whom; {@link Exchange#NONE} for other nodes and faulty ones
   */
  Exchange check(Node next) {
    node = next;
    node.getAttrList().forEach(kinds::see);
    roots += SystemKeys.isRoot(node) ? 1 : 0;
    boolean cpu = integer("is_cpu_op", false).orElse(0) != 0;
    if (node.getDurationMicros() < 0 || node.getDurationMicros() > Long.MAX_VALUE / 1000) {
      String micros = Long.toUnsignedString(node.getDurationMicros());
      return fault(
          "lasts " + micros + " microseconds, which overflow as nanoseconds",
          "Write what it took.");
    }
    return switch (node.getType()) {
      case COMP_NODE -> checkCompute(cpu);
      case MEM_LOAD_NODE, MEM_STORE_NODE -> {
        checkPositive("tensor_size", true);
        yield Exchange.NONE;
      }
      case COMM_COLL_NODE, COMM_SEND_NODE, COMM_RECV_NODE -> checkCommunication(cpu);
      case METADATA_NODE ->
          fault("is a metadata node, on which the simulator aborts", "Leave it out.");
      case INVALID_NODE, UNRECOGNIZED ->
          fault(
              "has the type " + node.getTypeValue() + ", which does not run",
              "Types that run are " + NodeType.MEM_LOAD_NODE_VALUE + " to 7.");
    };
  }

  private Exchange checkCompute(boolean cpu) {
    if (cpu) {
      onCpu++;
      return Exchange.NONE;
    }
    boolean priced = system.hasRoofline() || node.getDurationMicros() == 0;
    long operations = checkPositive("num_ops", priced);
    long bytes = checkPositive("tensor_size", priced);
    boolean tiny =
        operations > 0
            && bytes > 0
            && system.nanoseconds((double) operations, (double) bytes).orElse(1) < 1;
    if (tiny && SystemKeys.isRoot(node)) {
      tinyRoot = At.node(file, node.getId(), node.getName());
    }
    return Exchange.NONE;
  }

  /** Says what is about all nodes together. */
  void finish() {
    if (roots == 1 && !tinyRoot.isEmpty()) {
      faults.error(
          tinyRoot,
          "is the only node that waits for nothing, and takes less than 1 ns by the roofline of"
              + " system.json, on which the simulator aborts",
          "Give it more operations or bytes, or another node beside it.");
    }
    if (onCpu > 0) {
      faults.warning(
          file.toString(),
          "has compute on the CPU (is_cpu_op), in nodes: " + onCpu,
          "ASTRA-sim replays how long it lasts, and gives no statistics of this rank.");
    }
  }

  private Exchange checkCommunication(boolean cpu) {
    if (cpu) {
      return fault("is communication on the CPU (is_cpu_op)", "Set is_cpu_op to false.");
    }
    long bytes = checkPositive("comm_size", true);
    if (bytes <= 0) {
      return Exchange.NONE;
    }
    return node.getType() == NodeType.COMM_COLL_NODE ? checkCollective(bytes) : checkMessage(bytes);
  }

  private Exchange checkCollective(long bytes) {
    OptionalLong type = integer("comm_type", true);
    if (type.isEmpty()) {
      return Exchange.NONE;
    }
    if (!SIMULATED.contains(type.getAsLong())) {
      CollectiveCommType kind = CollectiveCommType.forNumber((int) type.getAsLong());
      return fault(
          "is a collective of kind " + (kind == null ? type.getAsLong() : kind),
          "Only all-reduce, all-gather, all-to-all and reduce-scatter are simulated.");
    }
    if (type.getAsLong() == CollectiveCommType.ALL_GATHER_VALUE
        && bytes < system.splits().orElse(1)) {
      long splits = (long) system.splits().orElse(1);
      return fault(
          "is an all-gather of " + bytes + " bytes, which never ends",
          "It must have as many as preferred-dataset-splits of system.json, " + splits + ".");
    }
    Communicator communicator = communicator();
    return communicator == null
        ? Exchange.NONE
        : new Exchange((int) type.getAsLong(), bytes, communicators.index(communicator));
  }

  private @Nullable Communicator communicator() {
    AttributeProto name = Attributes.find(node, "pg_name");
    AttributeProto involved = Attributes.find(node, "involved_dim");
    Communicator found;
    if (name == null && involved != null) {
      if (involved.getValueCase() != ValueCase.BOOL_LIST) {
        fault("has an involved_dim that is no bool_list", "Write it as a bool_list.");
        return null;
      }
      found = communicators.byDimensions(rank, involved.getBoolList());
      if (found == null) {
        fault("names network dimensions that are not known", "Put network.yml beside the traces.");
        return null;
      }
    } else {
      if (name != null && name.getValueCase() != ValueCase.STRING_VAL) {
        fault("has a pg_name of kind " + Kinds.text(name.getValueCase()), "Write it as a string.");
        return null;
      }
      String id = name == null ? "" : name.getStringVal();
      found = communicators.byId(id);
      if (found == null) {
        fault("names the unknown group '" + id + "'", remedy(id));
        return null;
      }
    }
    return checkMembers(found);
  }

  /** Only what the file of groups may hold can be added to it. */
  private static String remedy(String id) {
    return id.matches(GROUP_ID)
        ? "Add it to the file of groups, workload.json beside workload.0.et."
        : "Ids of groups are whole numbers from 1 on: name it so in all nodes and in the file of"
            + " groups.";
  }

  private @Nullable Communicator checkMembers(Communicator found) {
    if (!found.has(rank)) {
      fault(
          "names " + found.name() + ", which does not hold rank " + rank,
          "Name a group of its own.");
      return null;
    }
    if (found.members().length == 1) {
      fault("is a collective on " + found.name() + " of one member, which never ends", "Drop it.");
      return null;
    }
    return found;
  }

  private Exchange checkMessage(long bytes) {
    boolean send = node.getType() == NodeType.COMM_SEND_NODE;
    OptionalLong peer = integer(send ? "comm_dst" : "comm_src", true);
    OptionalLong own = integer(send ? "comm_src" : "comm_dst", false);
    OptionalLong tag = integer("comm_tag", true);
    if (peer.isEmpty() || tag.isEmpty()) {
      return Exchange.NONE;
    }
    if (tag.getAsLong() < 0 || tag.getAsLong() > Integer.MAX_VALUE) {
      return fault("has the tag " + tag.getAsLong(), "Tags are 0 to 2^31 - 1.");
    }
    if (own.isPresent() && own.getAsLong() != rank) {
      return fault(
          "says that its own end is rank "
              + own.getAsLong()
              + ", but stands in rank "
              + rank
              + "'s file",
          "Correct " + (send ? "comm_src" : "comm_dst") + ".");
    }
    if (peer.getAsLong() == rank) {
      return fault("has its own rank " + rank + " as its peer", "Drop it.");
    }
    if (peer.getAsLong() < 0 || peer.getAsLong() > Integer.MAX_VALUE) {
      return fault("has the peer " + peer.getAsLong(), "Peers are ranks.");
    }
    return new Exchange((int) tag.getAsLong(), bytes, (int) peer.getAsLong());
  }

  /** A size: there if required, and then at least 1. Returns 0 if it is not usable. */
  private long checkPositive(String name, boolean required) {
    OptionalLong value = integer(name, required);
    if (value.isPresent() && (value.getAsLong() < 1 || value.getAsLong() >= MAX_BYTES)) {
      fault("has the " + name + " " + value.getAsLong(), "It must be at least 1, and below 2^62.");
      return 0;
    }
    return value.orElse(0);
  }

  private OptionalLong integer(String name, boolean required) {
    AttributeProto attribute = Attributes.find(node, name);
    if (attribute == null) {
      if (required) {
        fault("has no " + name, "Add it as an integer.");
      }
      return OptionalLong.empty();
    }
    OptionalLong value = Attributes.integer(attribute);
    if (value.isEmpty()) {
      fault(
          "has a " + name + " of kind " + Kinds.text(attribute.getValueCase()),
          "Write it as an integer.");
    }
    return value;
  }

  private Exchange fault(String problem, String remedy) {
    faults.error(At.node(file, node.getId(), node.getName()), problem, remedy);
    return Exchange.NONE;
  }
}
