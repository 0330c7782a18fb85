package org.stage.parallel;

import java.util.List;
import org.stage.api.graph.Operator;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.SubAxis;

/** One step of a placed program: a kernel, or a collective that a change of placement asked for. */
public sealed interface Step {
  /** Values read. */
  List<Value> reads();

  /** Values written. */
  List<Value> writes();

  /**
   * An operator on each device's part.
   *
   * @param operator what is computed
   * @param reads its inputs in the layouts it demands
   * @param writes its outputs
   * @param cost its work on one device
   */
  record Kernel(Operator operator, List<Value> reads, List<Value> writes, KernelCost cost)
      implements Step {}

  /**
   * A collective from one layout of a tensor to another.
   *
   * @param kind which one
   * @param axes along which the members of its group differ
   * @param input the value before
   * @param output the value after
   */
  record Transfer(Collective.Kind kind, List<SubAxis> axes, Value input, Value output)
      implements Step {
    @Override
    public List<Value> reads() {
      return List.of(input);
    }

    @Override
    public List<Value> writes() {
      return List.of(output);
    }
  }
}
