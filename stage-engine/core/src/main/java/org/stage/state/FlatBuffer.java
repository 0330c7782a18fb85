package org.stage.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.Precision;
import org.stage.api.workload.TensorType;
import org.stage.arithmetic.Sums;
import org.stage.state.StateAction.Kind;

/**
 * Parameters of a module, or their gradients, one after the other in one buffer that ranks share
 * out evenly, padded at its end. Dense parameters and experts have copies on different ranks, so
 * they lie in buffers of their own.
 *
 * @param name its name inside the module
 * @param slices its parameters, in order
 * @param elements elements on this device before it is padded
 * @param types data types of parameters and gradients
 * @param holders ranks that hold copies of its parameters
 * @param sharers those among them that share out one copy
 */
public record FlatBuffer(
    String name, List<Slice> slices, long elements, Precision types, Group holders, Group sharers) {
  /**
   * A parameter in a buffer.
   *
   * @param parameter its name
   * @param elements its elements
   */
  public record Slice(String parameter, long elements) {}

  /**
   * A part of a buffer that goes in one collective.
   *
   * @param elements its elements
   * @param parameters those that reach into it
   */
  record Bucket(long elements, List<String> parameters) {}

  /** Copies the list. */
  public FlatBuffer {
    slices = List.copyOf(slices);
  }

  static List<Slice> slices(List<String> parameters, Map<String, Long> elements) {
    return parameters.stream().map(p -> new Slice(p, elements.getOrDefault(p, 0L))).toList();
  }

  /** Elements of a rank's shard. */
  public long shard() {
    return shard(elements, sharers.size());
  }

  /** Elements with those that pad it to a multiple of its shards. */
  long padded() {
    return Math.multiplyExact(shard(), sharers.size());
  }

  /** A rank's part of {@code elements}, padded to a multiple of the parts. */
  static long shard(long elements, int parts) {
    return Math.addExact(elements, parts - 1) / parts;
  }

  List<String> parameters() {
    return slices.stream().map(Slice::parameter).toList();
  }

  /**
   * Cuts {@code elements} into buckets.
   *
   * @param slices what lies in them, in order
   * @param most most elements of a bucket; 0 without bound
   * @param multiple what the size of a bucket must be a multiple of
   */
  static List<Bucket> buckets(List<Slice> slices, long elements, long most, int multiple) {
    long size = most / multiple * multiple;
    if (size <= 0 || elements <= size) {
      return List.of(new Bucket(elements, slices.stream().map(Slice::parameter).toList()));
    }
    List<Bucket> buckets = new ArrayList<>();
    long to;
    for (long from = 0; from < elements; from = to) {
      to = from + Math.min(size, elements - from);
      List<String> within = new ArrayList<>();
      long start = 0;
      for (Slice slice : slices) {
        long end = Math.addExact(start, slice.elements());
        if (start < to && end > from) {
          within.add(slice.parameter());
        }
        start = end;
      }
      buckets.add(new Bucket(to - from, within));
    }
    return buckets;
  }

  /** The name of the buffer that is gathered at a moment. */
  public String name(Moment gathered) {
    return name + again(gathered);
  }

  private static String again(Moment gathered) {
    return gathered == Moment.BEFORE_BACKWARD ? ".backward" : "";
  }

  /**
   * Makes whole parameters of this rank's shard.
   *
   * @param part which of its parameters
   */
  StateAction gather(Moment moment, List<Slice> part) {
    // Padding is part of the whole buffer alone.
    long elements = part.size() == slices.size() ? shard() : shard(elements(part), sharers.size());
    return new StateAction(
        Kind.GATHER,
        name + ".all-gather" + again(moment),
        moment,
        new Work.Transfer(Collective.Kind.ALL_GATHER, sharers, types.weights(), elements),
        Optional.of(this),
        part.stream().map(Slice::parameter).toList());
  }

  private static long elements(List<Slice> part) {
    return Sums.of(part.stream().mapToLong(Slice::elements));
  }

  /** Elements of some of its parameters. */
  public long elements(Collection<String> some) {
    return elements(slices.stream().filter(each -> some.contains(each.parameter())).toList());
  }

  /**
   * Puts whole gradients, or a bucket of them, into this rank's shard.
   *
   * @param collective what moves them: one that scatters, or an all-reduce, of whose result the
   *     rank keeps its part
   */
  StateAction scatter(Kind kind, Collective.Kind collective, Moment moment, Bucket bucket) {
    return new StateAction(
        kind,
        Reduction.name(collective, sharers),
        moment,
        new Work.Transfer(collective, sharers, types.gradients(), bucket.elements()),
        Optional.of(this),
        bucket.parameters());
  }

  /** Adds this rank's shard of a micro-batch's gradients to those of the micro-batches before. */
  StateAction accumulate(Collective.Kind collective) {
    TensorType part = TensorType.vector(shard(), types.gradients());
    String name = Reduction.name(collective, sharers) + ".accumulate";
    Work add =
        Work.Kernel.elementwise(
            OperatorKind.ADD.text(), shard(), List.of(part, part), List.of(part));
    return new StateAction(
        Kind.ACCUMULATE, name, Moment.AFTER_LATER_BACKWARD, add, Optional.of(this), List.of());
  }

  /** Reduces {@code part} elements of this rank's shard of the gradients where they lie. */
  StateAction reduceShard(Moment moment, long part, Group members, String suffix) {
    Collective.Kind kind = Collective.Kind.ALL_REDUCE;
    return new StateAction(
        Kind.REDUCE_SHARD,
        Reduction.name(kind, members) + suffix,
        moment,
        new Work.Transfer(kind, members, types.gradients(), part),
        Optional.of(this),
        List.of());
  }
}
