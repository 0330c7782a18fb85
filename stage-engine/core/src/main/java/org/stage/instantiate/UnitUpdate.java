package org.stage.instantiate;

import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;

/**
 * Adds the update of a module's parameters to a graph.
 *
 * @param graph the graph
 * @param what the name of the update
 * @param cost what it costs
 * @param offloaded whether optimizer states lie in host memory before and after
 */
record UnitUpdate(GraphWriter graph, String what, OptimizerCost cost, boolean offloaded) {
  /**
   * Adds it.
   *
   * @param gradients what it applies
   * @param parameters tensors of the parameters
   * @param norm where the norm of all gradients is, if they are clipped by it
   * @param duration how long it takes, nanoseconds, if that is known
   * @return where the updated parameters are
   */
  Handle add(UnitStates.Gradients gradients, Ids parameters, Handle norm, OptionalLong duration) {
    int states = graph.tensor(what + ".states", cost.stateBytes());
    boolean moves = offloaded && cost.stateBytes() > 0;
    int loaded = moves ? load(states) : -1;
    int[] deps =
        IntStream.concat(gradients.nodes().stream(), IntStream.of(norm.node(), loaded)).toArray();
    IntStream reads =
        Stream.of(
                parameters.stream(),
                gradients.tensors().stream(),
                IntStream.of(states, norm.tensor()))
            .flatMapToInt(stream -> stream);
    int written = graph.tensor(what + ".updated", cost.bytesWritten());
    Node.Header header =
        graph.header(
            what,
            Phase.OPTIMIZER,
            IntStream.of(deps),
            graph.turnDeps(IntStream.of(deps)),
            Ids.sorted(reads.filter(tensor -> tensor >= 0)),
            Ids.of(written),
            GraphWriter.lasting(duration));
    graph.add(kernel(header));
    Handle updated = new Handle(header.id(), written);
    if (moves) {
      store(updated);
    }
    return updated;
  }

  private Node kernel(Node.Header header) {
    return new Node.Compute(
        header,
        cost.operator(),
        MatrixShape.NONE,
        0,
        cost.otherFlops(),
        cost.bytesRead(),
        cost.bytesWritten());
  }

  private int load(int states) {
    IntStream loaded = IntStream.of(states);
    int frees = graph.lastKernel();
    return new HostMemory(graph)
        .load(what + ".reload", Phase.OPTIMIZER, -1, frees, loaded, cost.stateBytes());
  }

  private void store(Handle updated) {
    new HostMemory(graph)
        .store(
            what + ".offload",
            Phase.OPTIMIZER,
            IntStream.of(updated.node()),
            IntStream.of(updated.tensor()),
            cost.stateBytes());
  }
}
