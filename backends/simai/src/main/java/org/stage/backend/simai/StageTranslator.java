package org.stage.backend.simai;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Position;
import org.stage.api.workload.RankClass;
import org.stage.backend.simai.format.Comm;
import org.stage.backend.simai.format.Row;

/**
 * Translates the execution graph of one pipeline stage; for one use. Every micro-batch is
 * translated from its own nodes, so nothing is assumed of their being alike.
 */
final class StageTranslator {
  private static final Set<Position.Role> OF_PARAMETERS =
      EnumSet.of(
          Position.Role.PARAMETER_GATHER,
          Position.Role.GRADIENT_REDUCTION,
          Position.Role.GRADIENT_NORM,
          Position.Role.UPDATE);

  private final Groups groups;
  private final Times times;
  private final Losses losses = new Losses();
  private final Totals totals = new Totals();
  private final StepRows step = new StepRows();

  /** By micro-batch, then by module in the order of the forward pass. */
  private final Map<Integer, Map<String, UnitRows>> units = new TreeMap<>();

  StageTranslator(Groups groups, Times times) {
    this.groups = groups;
    this.times = times;
  }

  StageRows translate(RankClass ranks) {
    if (ranks.slowdown() != 1) {
      losses.slow(ranks);
    }
    for (Node node : ranks.graph().nodes()) {
      if (node instanceof Node.Compute compute) {
        add(compute);
      } else if (node instanceof Node.Collective collective && sends(collective)) {
        add(collective);
      } else if (node instanceof Node.Send send) {
        losses.transfer(send.bytes());
      } else if (node instanceof Node.HostCompute) {
        losses.host();
      } else if (node instanceof Node.MemoryLoad load) {
        losses.offload(load.bytes());
      } else if (node instanceof Node.MemoryStore store) {
        losses.offload(store.bytes());
      }
    }
    Columns columns = Columns.of(times, losses);
    List<Row> rows = new ArrayList<>(step.rows(columns));
    for (Map<String, UnitRows> microBatch : units.values()) {
      microBatch.values().forEach(unit -> rows.addAll(unit.rows(columns)));
    }
    return new StageRows(ranks.stage(), Math.max(1, units.size()), rows, totals, losses);
  }

  /** Nothing is sent among one, and SimAI divides by it. */
  private static boolean sends(Node.Collective node) {
    boolean barrier = node.kind() == Node.Collective.Kind.BARRIER;
    return node.group().size() > 1 && (barrier || node.elements() > 0);
  }

  private void add(Node.Compute node) {
    double nanoseconds = times.of(node);
    totals.add(node, nanoseconds);
    if (node.phase() == Phase.OPTIMIZER) {
      step.compute(nanoseconds);
    } else {
      boolean forward = node.phase() == Phase.FORWARD;
      Position position = Position.of(node);
      String module = position.module();
      UnitRows unit = unit(position);
      if (forward) {
        unit.learn(module, node.operator());
      }
      unit.compute(module, forward, isWeightGrad(node), nanoseconds);
    }
  }

  private void add(Node.Collective node) {
    Position position = Position.of(node);
    Optional<Groups.Place> found = groups.place(node.group(), isOfParameters(position));
    Optional<Comm.Kind> kind = kind(node.kind());
    if (found.isEmpty() || kind.isEmpty()) {
      String group = groups.text(node.group());
      losses.dropped(node.kind().text(), group, node.group().size(), node.bytes());
      return;
    }
    Groups.Place place = found.get();
    Comm comm = new Comm(kind.get(), place.scope(), tensorBytes(node));
    totals.add(node, place, comm);
    check(node, place, comm);
    if (position.microBatch().isEmpty()) {
      boolean exact = node.group().size() == place.ranks();
      step.communicate(comm, place.data(), exact, losses);
    } else if (place.data()) {
      unit(position).share(StepRows.data(comm));
    } else {
      unit(position).communicate(position.module(), node.phase() == Phase.FORWARD, comm);
    }
  }

  /**
   * Whether a collective is about parameters or their gradients, not about what layers pass on. In
   * what is done once a step activations have no part; a trace of names tells no more.
   */
  private static boolean isOfParameters(Position position) {
    return position.microBatch().isEmpty() || OF_PARAMETERS.contains(position.role());
  }

  /** The graph counts a rank's input; the file counts the whole tensor. */
  private static long tensorBytes(Node.Collective node) {
    boolean shard = node.kind() == Node.Collective.Kind.ALL_GATHER;
    return Math.multiplyExact(node.bytes(), shard ? (long) node.group().size() : 1L);
  }

  /** SimAI's word; empty where it has none. */
  private static Optional<Comm.Kind> kind(Node.Collective.Kind kind) {
    return switch (kind) {
      case ALL_REDUCE -> Optional.of(Comm.Kind.ALLREDUCE);
      case ALL_GATHER -> Optional.of(Comm.Kind.ALLGATHER);
      case REDUCE_SCATTER -> Optional.of(Comm.Kind.REDUCESCATTER);
      case ALL_TO_ALL -> Optional.of(Comm.Kind.ALLTOALL);
      case REDUCE, GATHER, SCATTER, BROADCAST, BARRIER -> Optional.empty();
    };
  }

  private void check(Node.Collective node, Groups.Place place, Comm comm) {
    int ranks = node.group().size();
    if (ranks != place.ranks()) {
      String group = groups.text(node.group());
      losses.repriced(node.kind().text(), group, ranks, place.ranks(), node.bytes());
    }
    if (comm.bytes() < Comm.SMALL_BYTES && Comm.smallNanoseconds(place.ranks()) == 0) {
      losses.free(place.ranks(), node.bytes());
    }
  }

  /** A node of the step that is not the optimizer's counts to the first micro-batch. */
  private UnitRows unit(Position position) {
    return units
        .computeIfAbsent(position.microBatch().orElse(0), batch -> new LinkedHashMap<>())
        .computeIfAbsent(position.unit(), UnitRows::new);
  }

  /**
   * Whether a kernel makes a gradient of parameters: a matrix product, or, of biases and tables, a
   * sum or a scatter. What leads there counts to the gradients of inputs.
   */
  private static boolean isWeightGrad(Node.Compute node) {
    boolean product = node.position().role() == Position.Role.WEIGHT_GRADIENT && node.flops() > 0;
    return node.phase() == Phase.BACKWARD
        && (product
            || node.operator().equals(OperatorKind.LOOKUP_GRAD.text())
            || node.operator().equals(OperatorKind.REDUCE_SUM.text()));
  }
}
