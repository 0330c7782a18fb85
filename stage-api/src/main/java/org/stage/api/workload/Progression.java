package org.stage.api.workload;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * What comes after two repetitions of a thing whose numbers go on evenly: number by number, the
 * first and so many times the step from the first to the second. What is no number has to be equal.
 */
final class Progression {
  private Progression() {}

  /** Whether two blocks differ in numbers only. */
  static boolean isRepetition(Block first, Block second) {
    return first.nodes().size() == second.nodes().size()
        && first.tensors().size() == second.tensors().size()
        && all(first.nodes(), second.nodes(), Progression::isRepetition)
        && all(first.tensors(), second.tensors(), Progression::isRepetition);
  }

  private interface Check<T> {
    boolean holds(T first, T second);
  }

  private static <T> boolean all(List<T> first, List<T> second, Check<T> check) {
    for (int i = 0; i < first.size(); i++) {
      if (!check.holds(first.get(i), second.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isRepetition(TensorValue first, TensorValue second) {
    return first.type().equals(second.type())
        && NumberedName.sameWords(first.name(), second.name());
  }

  private static boolean isRepetition(Node first, Node second) {
    NodeHeader a = first.header();
    NodeHeader b = second.header();
    return NumberedName.sameWords(a.name(), b.name())
        && a.phase() == b.phase()
        && a.details().equals(b.details())
        && a.dataDeps().size() == b.dataDeps().size()
        && a.controlDeps().size() == b.controlDeps().size()
        && a.reads().size() == b.reads().size()
        && a.writes().size() == b.writes().size()
        && bare(a.position()).equals(bare(b.position()))
        && with(first, BARE, 0).equals(with(second, BARE, 0));
  }

  private static final NodeHeader BARE =
      new NodeHeader(0, "", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE);

  private static Position bare(Position position) {
    return position.microBatch().isEmpty()
        ? position
        : new Position(OptionalInt.of(0), position.unit(), position.component(), position.role());
  }

  /** The tensor that is {@code index} repetitions after the first. */
  static TensorValue tensor(TensorValue first, TensorValue second, int index) {
    return new TensorValue(NumberedName.on(first.name(), second.name(), index), first.type());
  }

  /** The node that is {@code index} repetitions after the first. */
  static Node node(Node first, Node second, int index) {
    NodeHeader a = first.header();
    NodeHeader b = second.header();
    NodeHeader header =
        new NodeHeader(
            on(a.id(), b.id(), index),
            NumberedName.on(a.name(), b.name(), index),
            a.phase(),
            on(a.position(), b.position(), index),
            new NodeHeader.Dependencies(
                on(a.dataDeps(), b.dataDeps(), index), on(a.controlDeps(), b.controlDeps(), index)),
            new NodeHeader.Access(
                on(a.reads(), b.reads(), index), on(a.writes(), b.writes(), index)),
            a.details());
    return with(first, header, on(tag(first), tag(second), index));
  }

  private static int on(int first, int second, int index) {
    return Math.toIntExact(first + (long) index * ((long) second - first));
  }

  private static Ids on(Ids first, Ids second, int index) {
    if (first.equals(second)) {
      return first;
    }
    int[] ids = new int[first.size()];
    Arrays.setAll(ids, i -> on(first.get(i), second.get(i), index));
    return Ids.of(ids);
  }

  private static Position on(Position first, Position second, int index) {
    return first.equals(second)
        ? first
        : new Position(
            OptionalInt.of(
                on(first.microBatch().getAsInt(), second.microBatch().getAsInt(), index)),
            first.unit(),
            first.component(),
            first.role());
  }

  private static int tag(Node node) {
    return node instanceof Node.Send send
        ? send.tag()
        : node instanceof Node.Recv recv ? recv.tag() : 0;
  }

  /** The same work with another header and tag. */
  private static Node with(Node node, NodeHeader header, int tag) {
    if (node instanceof Node.Compute c) {
      return new Node.Compute(header, c.operator(), c.shape(), c.cost(), c.inputs(), c.outputs());
    }
    if (node instanceof Node.Collective c) {
      return new Node.Collective(header, c.kind(), c.elements(), c.type(), c.group(), c.lane());
    }
    if (node instanceof Node.Send s) {
      return new Node.Send(header, s.peer(), s.elements(), s.type(), tag, s.lane());
    }
    if (node instanceof Node.Recv r) {
      return new Node.Recv(header, r.peer(), r.elements(), r.type(), tag, r.lane());
    }
    if (node instanceof Node.HostCompute host) {
      return new Node.HostCompute(header, host.operator());
    }
    if (node instanceof Node.MemoryLoad load) {
      return new Node.MemoryLoad(header, load.bytes());
    }
    return node instanceof Node.MemoryStore store
        ? new Node.MemoryStore(header, store.bytes())
        : new Node.Marker(header, ((Node.Marker) node).kind());
  }
}
