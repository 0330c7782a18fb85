package org.stage.state;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.Precision;
import org.stage.api.workload.SubAxis;
import org.stage.job.Optimizer;
import org.stage.job.Shardings;

/** Small states, and their actions as text. */
final class StateTexts {
  static final Precision MIXED = new Precision(DataType.BF16, DataType.BF16, DataType.FP32);
  static final Group DP4 = along("dp", 1, 4);
  static final Group TP2 = along("tp", 1, 2);
  static final ParameterUpdate ADAM = new ParameterUpdate(Optimizer.Kind.ADAM, false);

  private StateTexts() {}

  static Group along(String axis, int pre, int size) {
    return new Group.Along(List.of(new SubAxis(axis, pre, size)));
  }

  /** ZeRO over four ranks, without buckets. */
  static Zero zero(int stage) {
    return zero(stage, 4, 0);
  }

  static Zero zero(int stage, int shards, long bucket) {
    return new Zero(stage, shards, 4, Shardings.atOnce(bucket), Shardings.GATHERED, MIXED);
  }

  /** {@code w 10, v 3}, in order. */
  static Map<String, Long> parameters(String text) {
    Map<String, Long> parameters = new LinkedHashMap<>();
    for (String each : text.split(", ")) {
      parameters.put(each.substring(0, each.indexOf(' ')), Long.parseLong(each.split(" ")[1]));
    }
    return parameters;
  }

  /** The all-reduce of 32-bit gradients of some {@code parameters}. */
  static Reduction reduction(Group group, String parameters) {
    Map<String, Long> of = parameters(parameters);
    long elements = of.values().stream().mapToLong(Long::longValue).sum();
    return new Reduction(
        Collective.Kind.ALL_REDUCE, elements, DataType.FP32, group, List.copyOf(of.keySet()));
  }

  /** A module of {@code w 10, v 3} whose copies lie on four ranks. */
  static ModuleStates states(Zero zero) {
    return states(zero, List.of());
  }

  static ModuleStates states(Zero zero, List<Reduction> inside) {
    String parameters = "w 10, v 3";
    return ModuleStates.of(
        parameters(parameters), inside, List.of(reduction(DP4, parameters)), zero, true, ADAM);
  }

  static List<String> texts(List<StateAction> actions) {
    return actions.stream().map(StateTexts::text).toList();
  }

  static List<String> texts(ModuleStates states) {
    return texts(states.actions());
  }

  /** {@code UPDATE adam at UPDATE: adam 48 operations, 64 read, 56 written}. */
  static String text(StateAction action) {
    return action.kind()
        + " "
        + action.name()
        + " at "
        + action.moment()
        + ": "
        + work(action.work())
        + action.buffer().map(buffer -> " in " + buffer.name()).orElse("")
        + (action.parameters().isEmpty() ? "" : " of " + String.join(" ", action.parameters()));
  }

  private static String work(Work work) {
    if (work instanceof Work.Transfer move) {
      return "%s of %d %s over %s"
          .formatted(move.kind().text(), move.elements(), move.type().text(), group(move.group()));
    }
    if (work instanceof Work.Kernel kernel) {
      return "%s %d operations, %d read, %d written"
          .formatted(
              kernel.operator(), kernel.otherFlops(), kernel.bytesRead(), kernel.bytesWritten());
    }
    Work.HostCopy copy = (Work.HostCopy) work;
    return copy.bytes() + (copy.toHost() ? " to host" : " from host");
  }

  /** {@code dp(2)4}, or {@code pp[0, 3]}. */
  private static String group(Group group) {
    if (group instanceof Group.Members members) {
      return members.axis() + members.coordinates();
    }
    return ((Group.Along) group)
        .axes().stream()
            .map(axis -> axis.axis() + "(" + axis.pre() + ")" + axis.size())
            .collect(Collectors.joining("+"));
  }
}
