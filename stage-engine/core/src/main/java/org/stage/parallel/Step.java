package org.stage.parallel;

import java.util.List;
import org.stage.api.graph.Operator;
import org.stage.api.workload.Node.Collective;

/**
 * One step of a placed program: a kernel, a collective that a change of placement asked for, or a
 * turn of a ring.
 */
public sealed interface Step {
  /** The name inside its module; of a collective that of what it makes. */
  String name();

  /** Values read. */
  List<Value> reads();

  /** Values written. */
  List<Value> writes();

  /** The name of the module's operator that it is, or is a part of; empty of a collective. */
  String origin();

  /**
   * An operator on each device's part.
   *
   * @param operator what is computed
   * @param origin the name of the module's operator that it is, or is a part of
   * @param reads its inputs in the layouts it demands
   * @param writes its outputs
   * @param cost its work on one device
   */
  record Kernel(
      Operator operator, String origin, List<Value> reads, List<Value> writes, KernelCost cost)
      implements Step {
    @Override
    public String name() {
      return operator.name();
    }
  }

  /**
   * Each device hands values to the next along a mesh axis, the last to the first, in one message,
   * and receives those of the one before.
   *
   * @param name name inside the module
   * @param origin the name of the module's operator that it is a part of
   * @param axis the mesh axis
   * @param reads the values that go
   * @param writes the values that come, aligned with those that go
   */
  record Shift(String name, String origin, String axis, List<Value> reads, List<Value> writes)
      implements Step {}

  /**
   * A collective from one layout of a tensor to another.
   *
   * @param kind which one
   * @param axes mesh axes along which the members of its group differ
   * @param input the value before
   * @param output the value after
   */
  record Transfer(Collective.Kind kind, List<Integer> axes, Value input, Value output)
      implements Step {
    @Override
    public String name() {
      return output.name();
    }

    @Override
    public List<Value> reads() {
      return List.of(input);
    }

    @Override
    public List<Value> writes() {
      return List.of(output);
    }

    @Override
    public String origin() {
      return "";
    }
  }
}
