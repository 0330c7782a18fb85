package org.stage.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How busy one rank is, picoseconds.
 *
 * @param compute how long a kernel runs
 * @param communication how long a collective or send runs
 * @param overlapped how long both do at once
 */
public record Busy(long compute, long communication, long overlapped) {
  /** Measures a rank. */
  public static Busy of(CondensedGraph graph, Times times) {
    List<Span> kernels = union(graph, times, graph::isCompute);
    List<Span> communications =
        union(graph, times, node -> !graph.isLocal(node) && !graph.isRecv(node));
    return new Busy(sum(kernels), sum(communications), overlap(kernels, communications));
  }

  /** When one of the nodes runs, as disjoint spans in order. */
  private static List<Span> union(CondensedGraph graph, Times times, IntPredicate which) {
    List<Span> all =
        IntStream.range(0, graph.nodes())
            .filter(which)
            .mapToObj(node -> new Span(times.start(node), times.end(node)))
            .sorted(Comparator.comparingLong(Span::from))
            .toList();
    List<Span> union = new ArrayList<>();
    for (Span span : all) {
      int last = union.size() - 1;
      if (last >= 0 && span.from() <= union.get(last).to()) {
        Span before = union.get(last);
        union.set(last, new Span(before.from(), Math.max(before.to(), span.to())));
      } else {
        union.add(span);
      }
    }
    return union;
  }

  private static long sum(List<Span> spans) {
    return spans.stream().mapToLong(span -> span.to() - span.from()).reduce(0, Math::addExact);
  }

  private static long overlap(List<Span> some, List<Span> others) {
    long sum = 0;
    int i = 0;
    int j = 0;
    while (i < some.size() && j < others.size()) {
      Span one = some.get(i);
      Span other = others.get(j);
      long both = Math.min(one.to(), other.to()) - Math.max(one.from(), other.from());
      sum = Math.addExact(sum, Math.max(0, both));
      if (one.to() < other.to()) {
        i++;
      } else {
        j++;
      }
    }
    return sum;
  }

  private record Span(long from, long to) {}
}
