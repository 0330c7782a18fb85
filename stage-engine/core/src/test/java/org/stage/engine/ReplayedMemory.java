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
import org.stage.api.workload.Position;
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
 *       of the weights' type first, which is there while its kernel runs. Those that each backward
 *       pass scatters count apart while they are whole: in the pass that completes them, from the
 *       module that begins them to the one that owns them; of a tied table head and embedding.
 *   <li>An operator that works in place writes over an input that nobody else reads.
 *   <li>What is there from the start, parameters and indices, does not count.
 *   <li>While a layer computes that keeps its activations in host memory, as much as it keeps is on
 *       its way there or back; it counts itself from the start of its own backward pass.
 *   <li>A slice of what the module before hands on counts as the slice, once that module is done.
 *   <li>Passes that overlap go module by module, and their peaks meet.
 *   <li>What a collective moves stays until the first node of its module waits for its result.
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

  /** By tensor: the last node that reads it. */
  private final int[] lastReaders;

  /** By tensor: the bytes that it counts. */
  private final long[] bytes;

  /** Tensors that are there. */
  private final Set<Integer> there = new HashSet<>();

  /** Gradients of which each backward pass scatters the whole ones, by name without version. */
  private final Set<String> scattered = new HashSet<>();

  /** Bytes of those of them that are begun and not scattered yet. */
  private final Map<String, Long> whole = new HashMap<>();

  private long alive;

  private ReplayedMemory(StepPlan plan, ExecutionGraph graph, Precision precision) {
    this.plan = plan;
    this.graph = graph;
    this.precision = precision;
    this.nodes = new PassNodes(plan, graph);
    this.parts = new TensorParts(plan, graph);
    int count = graph.tensors().size();
    this.lastReaders = new int[count];
    this.bytes = new long[count];
    Arrays.fill(lastReaders, -1);
    for (int tensor = 0; tensor < count; tensor++) {
      bytes[tensor] = graph.tensors().get(tensor).bytes();
    }
    for (Node node : graph.nodes()) {
      for (int tensor : ids(node.header().reads())) {
        lastReaders[tensor] = node.id();
        if (isScattered(node, tensor)) {
          scattered.add(gradient(tensor));
        }
      }
    }
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
        for (Slot slot : turn.slots()) {
          if (i < units(slot).size()) {
            long before = alive;
            most += peak(slot, unit(slot, i)) - before;
            begin(slot, unit(slot, i));
          }
        }
        peaks.add(new Peak(most, whole.values().stream().mapToLong(each -> each).sum()));
        for (Slot slot : turn.slots()) {
          if (i < units(slot).size()) {
            end(slot, unit(slot, i));
          }
        }
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
      beginBackward(all);
    }
    long most = alive;
    long moving = 0;
    Map<Integer, Node> awaiting = awaiting(all);
    for (Node node : all) {
      awaiting.forEach(
          (tensor, by) -> {
            if (by == node && lastReaders[tensor] < node.id()) {
              goes(tensor);
            }
          });
      moving += node instanceof Node.MemoryLoad load ? load.bytes() : 0;
      moving += node instanceof Node.MemoryStore store ? store.bytes() : 0;
      if (!(node instanceof Node.MemoryLoad)) {
        most = Math.max(most, run(node, units(slot).get(unit), awaiting));
      }
    }
    return most + moving;
  }

  /** Convention 7: by tensor that a collective moves, the first node that reads its result. */
  private static Map<Integer, Node> awaiting(List<Node> all) {
    Map<Integer, Node> awaiting = new HashMap<>();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i) instanceof Node.Collective collective && !isAgain(collective)) {
        List<Integer> written = ids(collective.header().writes());
        all.subList(i + 1, all.size()).stream()
            .filter(each -> ids(each.header().reads()).stream().anyMatch(written::contains))
            .findFirst()
            .ifPresent(
                reader ->
                    ids(collective.header().reads())
                        .forEach(tensor -> awaiting.merge(tensor, reader, ReplayedMemory::later)));
      }
    }
    return awaiting;
  }

  private static boolean isAgain(Node node) {
    return node.header().position().role() == Position.Role.RECOMPUTATION;
  }

  private static Node later(Node one, Node other) {
    return one.id() > other.id() ? one : other;
  }

  /** Runs a node; the most that is alive meanwhile. */
  private long run(Node node, StepPlan.Unit unit, Map<Integer, Node> awaiting) {
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
    dying.removeIf(tensor -> awaiting.containsKey(tensor) && awaiting.get(tensor).id() > node.id());
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

  private boolean isGradient(int tensor) {
    return graph.tensors().get(tensor).name().contains(".grad#");
  }

  /** Convention 1. */
  private long buffer(StepPlan.Unit unit, int gradient) {
    boolean inPlace = unit.isLayer() || unit.plan().states().scattersEachBackward();
    long elements = bytes[gradient] / precision.gradients().bytes();
    return inPlace ? 0 : precision.weights().bytes(elements);
  }

  /** Convention 1: the whole gradients that the passes of a micro-batch have made. */
  private void begin(Slot slot, int unit) {
    if (!slot.pass().completes()) {
      return;
    }
    for (Pass pass : Pass.values()) {
      for (Node node : nodes.of(new Slot(pass, slot.chunk(), slot.microBatch()), unit)) {
        ids(node.header().writes()).stream()
            .filter(tensor -> scattered.contains(gradient(tensor)))
            .forEach(tensor -> whole.put(gradient(tensor), bytes[tensor]));
      }
    }
  }

  /** Convention 1: those of its own that a module has completed are scattered. */
  private void end(Slot slot, int unit) {
    if (slot.pass().completes()) {
      String owner = units(slot).get(unit).name();
      whole.keySet().removeIf(each -> each.startsWith(owner + "."));
    }
  }

  /** Whether a collective makes a shard of it, not a whole gradient, as all-reduce can do too. */
  private boolean isScattered(Node node, int tensor) {
    return node instanceof Node.Collective
        && isGradient(tensor)
        && ids(node.header().writes()).stream().noneMatch(this::isGradient)
        && plan.units().stream()
            .filter(unit -> gradient(tensor).startsWith(unit.name() + "."))
            .anyMatch(unit -> unit.plan().states().scattersEachBackward());
  }

  /** The name of a tensor without its version: one that several kernels add to has several. */
  private String gradient(int tensor) {
    return graph.tensors().get(tensor).name().split("#")[0];
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

  /** Convention 4. */
  private void beginBackward(List<Node> all) {
    for (Node node : all) {
      if (node instanceof Node.MemoryLoad) {
        ids(node.header().writes()).forEach(this::comes);
      }
    }
  }

  private static List<Integer> ids(Ids ids) {
    return ids.stream().boxed().toList();
  }
}
