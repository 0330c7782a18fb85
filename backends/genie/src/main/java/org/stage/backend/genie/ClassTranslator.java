package org.stage.backend.genie;

import java.io.IOException;
import java.util.List;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.TraceTemplate;
import org.stage.backend.chakra.format.proto.CollectiveCommType;
import org.stage.backend.chakra.format.proto.NodeType;
import org.stage.backend.genie.format.Limits;
import org.stage.sim.cost.RingSteps;

/**
 * Translates the execution graph of one class of ranks; for one use. Genie's feeder reads an
 * attribute of another kind as 0 and no {@code ctrl_deps}, so all order is in {@code data_deps}.
 */
final class ClassTranslator {
  private static final int NONE = -1;

  private final ExecutionGraph graph;
  private final List<Step> steps;
  private final Slots slots;
  private final Durations durations = new Durations();
  private final TraceTemplate.Builder trace = new TraceTemplate.Builder(false);
  private long computeSteps;
  private long longestMessage;
  private int lastTransfer = NONE;

  ClassTranslator(ExecutionGraph graph, List<Step> steps, Slots slots) throws IOException {
    this.graph = graph;
    this.steps = steps;
    this.slots = slots;
  }

  ClassTrace translate() throws IOException {
    if (steps.size() >= Limits.IDS) {
      throw new WorkException(
          "genie",
          "a rank has " + steps.size() + " nodes, and Genie's ids stay below " + Limits.IDS,
          "Make the job smaller: fewer micro-batches, or layers.");
    }
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      if (step.first() instanceof Node.Collective collective) {
        addInOrder(i, step, collective);
      } else if (step.first() instanceof Node.Send send) {
        int slot = slots.destination(send.peer());
        orderBehindLast(i, step);
        addMessage(i, step, NodeType.COMM_SEND_NODE, send.bytes(), send.tag(), slot);
      } else if (step.first() instanceof Node.Recv recv) {
        // stands outside the order: it only offers its buffer
        int slot = slots.source(recv.peer());
        addMessage(i, step, NodeType.COMM_RECV_NODE, recv.bytes(), recv.tag(), slot);
      } else {
        addCompute(i, step);
      }
    }
    return new ClassTrace(
        trace.build(),
        slots,
        graph.nodes().stream().filter(Node.Compute.class::isInstance).count(),
        computeSteps,
        durations.total(),
        durations.surplus(),
        longestMessage);
  }

  private void addCompute(int index, Step step) throws IOException {
    computeSteps++;
    trace.add(
        begin(index, step, NodeType.COMP_NODE)
            .setDurationMicros(durations.next(step.nanoseconds()))
            .addAttr(Attributes.int64("num_ops", step.operations()))
            .addAttr(Attributes.uint64("tensor_size", step.bytes()))
            .build());
  }

  private void addInOrder(int index, Step step, Node.Collective node) throws IOException {
    CollectiveCommType kind = CollectiveCommType.valueOf(node.kind().name());
    long bytes = positive(node, node.bytes());
    message(bytes / RingSteps.of(NodeKind.of(node), node.group().size()).parts());
    orderBehindLast(index, step);
    trace.add(
        begin(index, step, NodeType.COMM_COLL_NODE)
            .addAttr(Attributes.int64("comm_type", kind.getNumber()))
            .addAttr(Attributes.int64("comm_size", bytes))
            .build(),
        slots.of(node.group()));
  }

  private void addMessage(int index, Step step, NodeType type, long bytes, int tag, int slot)
      throws IOException {
    message(bytes);
    trace.add(
        begin(index, step, type)
            .addAttr(Attributes.int64("comm_size", positive(step.first(), bytes)))
            .addAttr(Attributes.int32("comm_tag", tag))
            .build(),
        slot);
  }

  private void message(long bytes) {
    longestMessage = Math.max(longestMessage, bytes);
  }

  /** One transfer at a time: members of a group must issue the same ones in the same order. */
  private void orderBehindLast(int index, Step step) {
    if (lastTransfer != NONE) {
      step.deps().add(lastTransfer);
    }
    lastTransfer = index;
  }

  /** Ids count from 1, as 0 is also what an absent id reads as. */
  private static org.stage.backend.chakra.format.proto.Node.Builder begin(
      int index, Step step, NodeType type) {
    var message =
        org.stage.backend.chakra.format.proto.Node.newBuilder()
            .setId(index + 1L)
            .setName(step.name())
            .setType(type)
            .addAttr(Attributes.bool("is_cpu_op", false));
    step.deps().forEach(dep -> message.addDataDeps(dep + 1L));
    return message;
  }

  private static long positive(Node node, long bytes) {
    if (bytes < 1) {
      throw new WorkException(
          node.name(),
          "transfers " + bytes + " bytes, on which Genie stops",
          "This is a fault of the engine: it must not be made.");
    }
    return bytes;
  }
}
