package org.stage.parallel;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.SubAxis;
import org.stage.operator.GradientNames;
import org.stage.operator.OperatorRule.Ring;
import org.stage.operator.OperatorRules;

/**
 * Attention whose keys and values pass from device to device along a ring (Liu et al., arXiv
 * 2310.01889): on {@code c} devices {@code c} kernels, each with the keys and values of one of
 * them, which go on to the next device meanwhile.
 *
 * <p>Backward, keys and values go round once more. The gradients of a part of them follow: from the
 * device after its owner, each adds its summand and hands them on, until they come home, where the
 * owner's summand is added. That is {@code c - 1} messages of keys and values forward, as many
 * backward, and as many of their gradients.
 *
 * <p>With the parts of a sequence dealt out early and late (zig-zag), each device meets half of the
 * scores of every step under a causal mask, so the steps are alike.
 */
final class RingAttention {
  private final PlacedModuleBuilder program;
  private final CostModel costs;
  private final Operator operator;
  private final Ring how;
  private final String axis;
  private final int devices;
  private final Outputs outputs;

  /** Makes values of the operator's outputs, written by the next step. */
  interface Outputs {
    /** The output itself. */
    Value whole(Operand output);

    /** A value like it that only the steps around know. */
    Value part(Operand output, String name);
  }

  RingAttention(
      PlacedModuleBuilder program,
      CostModel costs,
      SubAxis ring,
      Operator operator,
      Ring how,
      Outputs outputs) {
    this.program = program;
    this.costs = costs;
    this.operator = operator;
    this.how = how;
    this.axis = ring.axis();
    this.devices = ring.size();
    this.outputs = outputs;
  }

  /** Adds the steps; {@code reads} are the operator's inputs, of each device its own part. */
  void place(List<Value> reads) {
    how.merge().ifPresentOrElse(merge -> forward(reads, merge), () -> backward(reads));
  }

  /** The keys and values of this device. */
  private List<Value> keys(List<Value> reads) {
    return reads.subList(how.keys(), how.keys() + 2);
  }

  /** The same with the keys and values of another one. */
  private List<Value> with(List<Value> reads, List<Value> keys) {
    List<Value> in = new ArrayList<>(reads);
    in.set(how.keys(), keys.get(0));
    in.set(how.keys() + 1, keys.get(1));
    return in;
  }

  private void forward(List<Value> reads, OperatorKind merge) {
    List<Value> next = keys(reads);
    List<Value> joined = List.of();
    for (int step = 0; step < devices; step++) {
      List<Value> here = next;
      next = step + 1 < devices ? shift("keys", step + 1, here, ".ring" + (step + 1)) : here;
      List<Value> part = kernel(step, with(reads, here));
      joined = step == 0 ? part : merge(step, merge, joined, part);
    }
  }

  private List<Value> merge(int step, OperatorKind kind, List<Value> joined, List<Value> part) {
    List<Operand> out = operator.outputs();
    List<Operand> in = Stream.concat(out.stream(), out.stream()).toList();
    Operator merge = new Operator(operator.name() + ".merge" + step, kind, in, out);
    List<Value> both = Stream.concat(joined.stream(), part.stream()).toList();
    boolean last = step == devices - 1;
    return kernel(merge, both, last ? whole(out) : parts(out, ".upto" + step));
  }

  private void backward(List<Value> reads) {
    List<Operand> gradients = operator.outputs();
    List<Value> next = keys(reads);
    List<Value> own = List.of();
    List<Value> coming = List.of();
    List<Value> queries = List.of();
    for (int step = 0; step < devices; step++) {
      List<Value> here = next;
      String form = ".ring" + (step + 1) + ".backward";
      next = step + 1 < devices ? shift("keys", step + 1, here, form) : here;
      List<Value> part = kernel(step, with(reads, here));
      if (step == 0) {
        queries = part.subList(0, 1);
        own = part.subList(1, 3);
        continue;
      }
      queries = add(step, gradients.subList(0, 1), queries, part.subList(0, 1), isLast(step));
      List<Value> mine = part.subList(1, 3);
      List<Operand> keys = gradients.subList(1, 3);
      List<Value> sum = coming.isEmpty() ? mine : add(step, keys, coming, mine, false);
      coming = shift("gradients", step, sum, ".round" + step);
    }
    add(devices, gradients.subList(1, 3), coming, own, true);
  }

  private boolean isLast(int step) {
    return step == devices - 1;
  }

  private List<Value> add(
      int step, List<Operand> of, List<Value> one, List<Value> other, boolean last) {
    List<Value> sums = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      List<Operand> out = of.subList(i, i + 1);
      String name = GradientNames.sum(out.get(0).tensor()) + step;
      Operator sum = OperatorRules.sum(name, List.of(out.get(0), out.get(0)), out.get(0));
      List<Value> written = last ? whole(out) : parts(out, ".upto" + step);
      sums.addAll(kernel(sum, List.of(one.get(i), other.get(i)), written));
    }
    return sums;
  }

  private List<Value> shift(String what, int step, List<Value> values, String form) {
    String name = operator.name() + "." + what + step;
    List<Value> received = new ArrayList<>();
    for (Value value : values) {
      received.add(program.scratch(origin(value) + form, value));
    }
    program.add(new Step.Shift(name, operator.name(), axis, values, received));
    return received;
  }

  /** The tensor's name without what an earlier turn of the ring added to it. */
  private static String origin(Value value) {
    return value.tensor().replaceFirst("\\.(ring|round|step|upto)\\d+.*", "");
  }

  private List<Value> kernel(int step, List<Value> reads) {
    String suffix = ".step" + step;
    Operator part =
        new Operator(
            operator.name() + suffix, operator.kind(), operator.inputs(), operator.outputs());
    return kernel(part, reads, parts(operator.outputs(), suffix));
  }

  private List<Value> kernel(Operator part, List<Value> reads, List<Value> writes) {
    program.add(
        new Step.Kernel(part, operator.name(), reads, writes, costs.of(part, reads, writes)));
    return writes;
  }

  private List<Value> whole(List<Operand> of) {
    return of.stream().map(outputs::whole).toList();
  }

  private List<Value> parts(List<Operand> of, String suffix) {
    return of.stream().map(each -> outputs.part(each, each.tensor() + suffix)).toList();
  }
}
