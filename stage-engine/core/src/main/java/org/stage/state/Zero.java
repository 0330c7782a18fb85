package org.stage.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.Precision;
import org.stage.api.workload.SubAxis;
import org.stage.arithmetic.Sums;
import org.stage.job.GradientReduction;
import org.stage.job.ParameterGathering;
import org.stage.state.FlatBuffer.Bucket;
import org.stage.state.StateAction.Kind;

/**
 * How optimizer states, gradients and parameters are sharded over data-parallel ranks (ZeRO, arXiv
 * 1910.02054): stage 1 shards optimizer states, 2 also gradients, 3 also parameters. In hybrid
 * sharding the shards lie within groups of neighbouring data-parallel ranks, and are replicated
 * across groups.
 *
 * <p>The gradients of a module are flat buffers. Stage 1 scatters them once per step. Stages 2 and
 * 3 scatter those of every micro-batch and add up shards, as whole gradients would not fit where
 * stage 2 is wanted. What is reduced once per step is reduced when a module's last backward pass is
 * done, or behind all passes if that is not to overlap; and then inside replicas, where a shard is
 * a part of the whole gradient, as Megatron-LM has it.
 *
 * @param stage 0 to 3
 * @param shards ranks that share one copy of dense parameters
 * @param degree ranks that hold a copy of dense parameters: data-, context- and expert-parallel
 *     ones
 * @param gradients how gradients are reduced
 * @param gathering how parameters are gathered
 * @param precision data types of parameters and gradients
 */
public record Zero(
    int stage,
    int shards,
    int degree,
    GradientReduction gradients,
    ParameterGathering gathering,
    Precision precision) {
  /**
   * The flat buffers of a module; none where nothing is sharded.
   *
   * @param replicas reductions of its gradients over ranks that hold copies
   * @param parameters elements of each parameter on this device
   */
  List<FlatBuffer> buffers(List<Reduction> replicas, Map<String, Long> parameters) {
    List<FlatBuffer> buffers = new ArrayList<>();
    for (Reduction reduction : stage == 0 ? List.<Reduction>of() : replicas) {
      String which = buffers.isEmpty() ? "" : "expert_";
      buffers.add(
          new FlatBuffer(
              which + "parameters" + (buffers.size() < 2 ? "" : "_" + buffers.size()),
              FlatBuffer.slices(reduction.parameters(), parameters),
              reduction.elements(),
              precision,
              reduction.group(),
              sharers(reduction.group())));
    }
    return buffers;
  }

  /**
   * What becomes of gradients and parameters in a step, moment by moment.
   *
   * @param inside reductions inside a replica
   * @param replicas those over replicas
   * @param buffers the module's flat buffers
   * @param parameters elements of each parameter on this device
   * @param regathered whether stage 3 gathers them again for backward
   */
  List<StateAction> actions(
      List<Reduction> inside,
      List<Reduction> replicas,
      List<FlatBuffer> buffers,
      Map<String, Long> parameters,
      boolean regathered) {
    List<StateAction> actions = new ArrayList<>();
    if (stage == 3) {
      gathers(buffers, Moment.BEFORE_FORWARD, false).forEach(actions::add);
      List<FlatBuffer> twice = regathered ? buffers : List.of();
      gathers(twice, Moment.BEFORE_BACKWARD, false).forEach(actions::add);
    }
    if (stage >= 2) {
      for (FlatBuffer buffer : buffers) {
        Bucket all = new Bucket(buffer.padded(), buffer.parameters());
        actions.add(buffer.scatter(Kind.SCATTER_AND_FREE, collective(), eachBackward(), all));
        actions.add(buffer.accumulate(collective()));
      }
    }
    if (stage == 0) {
      replicas.stream()
          .flatMap(each -> cut(each, parameters).stream())
          .forEach(each -> actions.add(each.onWhole(lastBackward(), "")));
    }
    buffers.forEach(each -> actions.addAll(ofLastBackward(each, inside)));
    // What is scattered in every micro-batch is reduced on its shard.
    inside.stream()
        .filter(each -> stage < 2 || replicas.stream().noneMatch(each::sharesWith))
        .forEach(each -> actions.add(each.onWhole(Moment.AFTER_REDUCTION, "")));
    return actions;
  }

  private Moment eachBackward() {
    return gradients.when().overlaps() ? Moment.AFTER_BACKWARD : Moment.AFTER_BACKWARD_ALONE;
  }

  /** When gradients are reduced that are complete with the last micro-batch. */
  private Moment lastBackward() {
    return gradients.when().overlaps() ? Moment.AFTER_LAST_BACKWARD : Moment.AFTER_PASSES;
  }

  /** What puts whole gradients into shards. */
  private Collective.Kind collective() {
    return gradients.allReduces() ? Collective.Kind.ALL_REDUCE : Collective.Kind.REDUCE_SCATTER;
  }

  /** Scatters the gradients of a step, if shards do not add them up, and reduces shards. */
  private List<StateAction> ofLastBackward(FlatBuffer buffer, List<Reduction> inside) {
    List<StateAction> actions = new ArrayList<>();
    int sharers = buffer.sharers().size();
    if (stage >= 2) {
      inside.forEach(each -> actions.addAll(onShard(each, buffer)));
    } else {
      FlatBuffer.buckets(buffer.slices(), buffer.padded(), gradients.bucket(), sharers)
          .forEach(
              each ->
                  actions.add(buffer.scatter(Kind.SCATTER, collective(), lastBackward(), each)));
    }
    if (sharers < buffer.holders().size()) {
      Group copies = new Group.Along(List.of(new SubAxis("dp", 1, degree / shards)));
      actions.add(buffer.reduceShard(lastBackward(), buffer.shard(), copies, ""));
    }
    return actions;
  }

  /**
   * Gathers what the update changed, where parameters are whole between steps: behind the update,
   * or at the beginning of the next step, which in a graph of one step is its own.
   */
  List<StateAction> ofUpdate(List<FlatBuffer> buffers) {
    return stage == 3
        ? gathers(buffers, Moment.AFTER_UPDATE, true).toList()
        : buffers.stream().map(each -> each.gather(betweenSteps(), each.slices())).toList();
  }

  private Moment betweenSteps() {
    return gathering.overlaps() ? Moment.BEFORE_FIRST_FORWARD : Moment.AFTER_UPDATE;
  }

  /** Gathers the small parameters of buffers, or the others. */
  private Stream<StateAction> gathers(List<FlatBuffer> buffers, Moment moment, boolean small) {
    return buffers.stream()
        .flatMap(
            buffer -> {
              List<FlatBuffer.Slice> of =
                  buffer.slices().stream()
                      .filter(each -> each.elements() < gathering.persistent() == small)
                      .toList();
              return of.isEmpty() ? Stream.of() : Stream.of(buffer.gather(moment, of));
            });
  }

  /** Cuts a reduction of whole gradients into buckets. */
  List<Reduction> cut(Reduction of, Map<String, Long> parameters) {
    List<FlatBuffer.Slice> slices = FlatBuffer.slices(of.parameters(), parameters);
    return FlatBuffer.buckets(slices, of.elements(), gradients.bucket(), 1).stream()
        .map(
            each ->
                new Reduction(of.kind(), each.elements(), of.type(), of.group(), each.parameters()))
        .toList();
  }

  /**
   * Sums commute: what is partial over other ranks too, and is scattered in every micro-batch, is
   * reduced over those once, on its shard.
   */
  private List<StateAction> onShard(Reduction within, FlatBuffer buffer) {
    long elements =
        Sums.of(
            buffer.slices().stream()
                .filter(slice -> within.parameters().contains(slice.parameter()))
                .mapToLong(slice -> FlatBuffer.shard(slice.elements(), buffer.sharers().size())));
    return elements == 0
        ? List.of()
        : List.of(buffer.reduceShard(lastBackward(), elements, within.group(), ""));
  }

  /**
   * All ranks that hold a copy; or, in hybrid sharding, neighbours among the data-parallel ones.
   */
  private Group sharers(Group all) {
    return shards == degree
        ? all
        : new Group.Along(List.of(new SubAxis("dp", degree / shards, shards)));
  }
}
