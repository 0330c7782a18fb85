package org.stage.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Precision;
import org.stage.operator.OperatorRule;
import org.stage.operator.OperatorRules;
import org.stage.plan.StepPlan;
import org.stage.schedule.Pass;
import org.stage.schedule.Slot;
import org.stage.schedule.Turn;

/**
 * Device memory of a class of ranks over a step, replayed from its graph: a tensor is there from
 * the node that writes it to the last that reads it, wherever in the graph that is. The plan only
 * says to which pass and module a node belongs, and how large a part is of a tensor.
 *
 * <p>What is not replayed are model states, which are there all the time, and what collectives and
 * kernels on them write. For the rest memory has conventions, which are applied here:
 *
 * <ol>
 *   <li>Gradients of parameters are accumulated in place. Embedding and head make each in a buffer
 *       of the weights' type first, which is there while its kernel runs. Where each backward pass
 *       scatters gradients, all whole ones of a module count, apart, while it completes them.
 *   <li>An operator that works in place writes over an input that nobody else reads.
 *   <li>Indices, and scales of 8 bits, are there from the start and count in the backward passes of
 *       a module whose forward pass reads them too.
 *   <li>What runs again does so at the start of its module's backward pass, and at once: what it
 *       reads goes then, unless gradients need it, and what only it reads never counts.
 *   <li>While a layer computes that keeps its activations in host memory, as much as it keeps is on
 *       its way there or back; it counts itself from the start of its own backward pass.
 *   <li>A slice of what the module before hands on counts as the slice, once that module is done; a
 *       part of what was kept as the part, once its module's backward pass begins.
 *   <li>Passes that overlap go module by module, and their peaks meet.
 * </ol>
 */
final class ReplayedMemory {
  /**
   * A module at work, or two in passes that overlap.
   *
   * @param activations most bytes of activations meanwhile
   * @param gradients bytes of whole gradients that are to be scattered
   */
  record Peak(long activations, long gradients) {}

  private final StepPlan plan;
  private final ExecutionGraph graph;
  private final Precision precision;
  private final PassNodes nodes;
  private final TensorParts parts;

  /** By tensor: the node that writes it, and the last that reads it but what runs again. */
  private final int[] writers;

  private final int[] lastReaders;

  /** By tensor: the bytes that it counts. */
  private final long[] bytes;

  private final Map<Phase, Set<Integer>> readIn = new HashMap<>();

  /** By micro-batch and module: what no node writes and both its passes read. */
  private final Map<String, List<Integer>> indices = new HashMap<>();

  /** Tensors that are there. */
  private final Set<Integer> there = new HashSet<>();

  private long alive;

  private ReplayedMemory(StepPlan plan, ExecutionGraph graph, Precision precision) {
    this.plan = plan;
    this.graph = graph;
    this.precision = precision;
    this.nodes = new PassNodes(plan, graph);
    this.parts = new TensorParts(plan, graph);
    int count = graph.tensors().size();
    this.writers = new int[count];
    this.lastReaders = new int[count];
    this.bytes = new long[count];
    Arrays.fill(writers, -1);
    Arrays.fill(lastReaders, -1);
    for (int tensor = 0; tensor < count; tensor++) {
      bytes[tensor] = graph.tensors().get(tensor).bytes();
    }
    for (Phase phase : Phase.values()) {
      readIn.put(phase, new HashSet<>());
    }
    for (Node node : graph.nodes()) {
      for (int tensor : ids(node.header().writes())) {
        writers[tensor] = node.id();
      }
      for (int tensor : ids(node.header().reads())) {
        readIn.get(node.phase()).add(tensor);
        lastReaders[tensor] = isAgain(node) ? lastReaders[tensor] : node.id();
      }
    }
    readIn.get(Phase.FORWARD).stream()
        .filter(tensor -> writers[tensor] < 0 && isReadBackward(tensor))
        .forEach(
            tensor -> indices.computeIfAbsent(module(tensor), of -> new ArrayList<>()).add(tensor));
  }

  /** The beginning of a tensor's name that says micro-batch and module. */
  private String module(int tensor) {
    String[] parts = graph.tensors().get(tensor).name().split("\\.");
    return parts[0] + "." + parts[1] + (parts[1].equals("layers") ? "." + parts[2] : "");
  }

  /** The peaks of a step: turn by turn, module by module. */
  static List<Peak> of(StepPlan plan, ExecutionGraph graph, Precision precision) {
    return new ReplayedMemory(plan, graph, precision).run();
  }

  private List<Peak> run() {
    List<Peak> peaks = new ArrayList<>();
    for (Turn turn : plan.turns()) {
      int longest = turn.slots().stream().mapToInt(slot -> units(slot).size()).max().orElse(0);
      for (int i = 0; i < longest; i++) {
        long most = alive;
        long gradients = 0;
        for (Slot slot : turn.slots()) {
          if (i < units(slot).size()) {
            long before = alive;
            most += peak(slot, unit(slot, i)) - before;
            gradients += scattered(slot, unit(slot, i));
          }
        }
        peaks.add(new Peak(most, gradients));
      }
    }
    return peaks;
  }

  private List<StepPlan.Unit> units(Slot slot) {
    return plan.chunks().get(slot.chunk()).units();
  }

  /** Index in its chunk of the module that comes {@code i}th in a pass. */
  private int unit(Slot slot, int i) {
    return slot.pass() == Pass.FORWARD ? i : units(slot).size() - 1 - i;
  }

  /** Runs a module's part of a pass; the most that is alive meanwhile. */
  private long peak(Slot slot, int unit) {
    List<Node> all = nodes.of(slot, unit);
    if (slot.pass() == Pass.FORWARD) {
      parts.ofForward(slot, unit).forEach(this::counts);
    } else if (slot.pass().isBackward()) {
      beginBackward(slot, unit, all);
    }
    long most = alive;
    long moving = 0;
    for (Node node : all) {
      moving += node instanceof Node.MemoryLoad load ? load.bytes() : 0;
      moving += node instanceof Node.MemoryStore store ? store.bytes() : 0;
      if (!isAgain(node) && !(node instanceof Node.MemoryLoad)) {
        most = Math.max(most, run(node, units(slot).get(unit)));
      }
    }
    return most + moving;
  }

  /** Runs a node; the most that is alive meanwhile. */
  private long run(Node node, StepPlan.Unit unit) {
    long written = 0;
    long buffers = 0;
    for (int tensor : ids(node.header().writes())) {
      if (isGradient(tensor)) {
        buffers += buffer(unit, tensor);
      } else {
        comes(tensor);
        written += bytes[tensor];
      }
    }
    Set<Integer> dying = new LinkedHashSet<>();
    ids(node.header().reads()).forEach(dying::add);
    ids(node.header().writes()).forEach(dying::add);
    dying.removeIf(tensor -> !there.contains(tensor) || lastReaders[tensor] > node.id());
    // What is to run again needs it.
    dying.removeIf(tensor -> node.phase() == Phase.FORWARD && isReadAgain(tensor));
    long most = alive + buffers - replaced(node, dying, written);
    dying.forEach(this::goes);
    return most;
  }

  private void comes(int tensor) {
    if (there.add(tensor)) {
      alive += bytes[tensor];
    }
  }

  private void goes(int tensor) {
    if (there.remove(tensor)) {
      alive -= bytes[tensor];
    }
  }

  private void counts(int tensor, long as) {
    alive += there.contains(tensor) ? as - bytes[tensor] : 0;
    bytes[tensor] = as;
  }

  private boolean isReadAgain(int tensor) {
    return readIn.get(Phase.RECOMPUTE).contains(tensor) && !isReadBackward(tensor);
  }

  private boolean isReadBackward(int tensor) {
    return readIn.get(Phase.BACKWARD).contains(tensor);
  }

  private static boolean isAgain(Node node) {
    return node.phase() == Phase.RECOMPUTE;
  }

  private boolean isGradient(int tensor) {
    return graph.tensors().get(tensor).name().contains(".grad#");
  }

  /** Convention 1. */
  private long buffer(StepPlan.Unit unit, int gradient) {
    boolean inPlace = unit.isLayer() || unit.plan().states().scattersEachBackward();
    long elements = bytes[gradient] / precision.gradients().bytes();
    return inPlace ? 0 : precision.weights().bytes(elements);
  }

  /** Convention 1: gradients of its own parameters that the passes of a micro-batch have made. */
  private long scattered(Slot slot, int unit) {
    StepPlan.Unit of = units(slot).get(unit);
    if (!slot.pass().completes() || !of.plan().states().scattersEachBackward()) {
      return 0;
    }
    // By parameter, as one that several kernels add to has several versions.
    Map<String, Long> own = new HashMap<>();
    for (Pass pass : Pass.values()) {
      for (Node node : nodes.of(new Slot(pass, slot.chunk(), slot.microBatch()), unit)) {
        for (int tensor : ids(node.header().writes())) {
          String name = graph.tensors().get(tensor).name();
          if (isGradient(tensor) && name.startsWith(of.name() + ".")) {
            own.put(name.substring(0, name.indexOf('#')), bytes[tensor]);
          }
        }
      }
    }
    return own.values().stream().mapToLong(each -> each).sum();
  }

  /** Convention 2. */
  private long replaced(Node node, Set<Integer> dying, long written) {
    boolean inPlace =
        node instanceof Node.Compute kernel
            && OperatorRules.standard()
                .find(kernel.operator())
                .map(OperatorRule::worksInPlace)
                .orElse(false);
    boolean fits = dying.stream().anyMatch(tensor -> bytes[tensor] == written);
    return inPlace && fits ? written : 0;
  }

  /** Conventions 3, 4, 5 and 6. */
  private void beginBackward(Slot slot, int unit, List<Node> all) {
    parts.ofBackward(slot, unit).forEach(this::counts);
    String module = "mb" + slot.microBatch() + "." + units(slot).get(unit).name();
    indices.getOrDefault(module, List.of()).forEach(this::comes);
    for (Node node : all) {
      if (isAgain(node) || node instanceof Node.MemoryLoad) {
        ids(node.header().writes()).stream().filter(this::isReadBackward).forEach(this::comes);
      }
      if (isAgain(node)) {
        ids(node.header().reads()).stream().filter(this::isReadAgain).forEach(this::goes);
      }
    }
  }

  private static List<Integer> ids(Ids ids) {
    return ids.stream().boxed().toList();
  }
}
