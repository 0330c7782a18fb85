package org.stage.instantiate;

import java.util.stream.IntStream;
import org.stage.api.workload.Details;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.instantiate.Program.Instruction;
import org.stage.instantiate.Program.Variable;

/**
 * Adds a turn of a ring to a graph. Every rank sends at once, so each posts its receive before: as
 * soon as the kernel before is done, which is the one that frees a buffer where two serve in turn.
 *
 * @param graph the graph
 * @param prefix what the names of nodes and tensors begin with
 * @param suffix what they end with
 * @param phase the phase of the nodes
 */
record RingTurn(GraphWriter graph, String prefix, String suffix, Phase phase) {
  /** Adds a receive and a send; {@code run} is told where what comes is. */
  void add(Instruction.Shift shift, Program program, Handle[] run) {
    int tag = graph.nextTag();
    graph.add(receive(shift, program, run, tag));
    graph.add(send(shift, program, run, tag));
  }

  private Node receive(Instruction.Shift shift, Program program, Handle[] run, int tag) {
    int frees = graph.lastKernel();
    int node = graph.next();
    IntStream.Builder writes = IntStream.builder();
    for (int written : shift.writes()) {
      Variable variable = program.variables().get(written);
      int tensor = graph.tensor(prefix + variable.name() + suffix, variable.bytes());
      writes.add(tensor);
      run[written] = new Handle(node, tensor);
    }
    Node.Header header =
        graph.header(
            prefix + shift.name() + ".recv" + suffix,
            phase,
            IntStream.empty(),
            frees < 0 ? Ids.NONE : Ids.of(frees),
            Ids.NONE,
            Ids.sorted(writes.build()),
            Details.NONE);
    return new Node.Recv(header, shift.axis(), -1, shift.elements(), shift.type(), tag);
  }

  private Node send(Instruction.Shift shift, Program program, Handle[] run, int tag) {
    int[] from = shift.reads().stream().mapToInt(program::root).toArray();
    Node.Header header =
        graph.header(
            prefix + shift.name() + ".send" + suffix,
            phase,
            IntStream.of(from).map(variable -> run[variable].node()),
            Ids.NONE,
            Ids.sorted(IntStream.of(from).map(variable -> run[variable].tensor())),
            Ids.NONE,
            GraphWriter.lasting(shift.durationNs()));
    return new Node.Send(header, shift.axis(), 1, shift.elements(), shift.type(), tag);
  }
}
