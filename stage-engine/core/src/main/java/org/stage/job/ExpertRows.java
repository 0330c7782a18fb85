package org.stage.job;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.stage.api.workload.Mesh;
import org.stage.job.ExpertStrategy.Load;

/**
 * Rows of a layer with experts in one micro-batch. Every rank chooses alike for its own tokens, so
 * all send the same; how much a rank receives depends on the experts that it has.
 *
 * @param sent rows that each rank dispatches
 * @param received by expert-parallel coordinate, rows that the ranks of one group along {@code ep}
 *     send to it
 * @param chosen rows that the tokens of a rank ask for
 * @param dropped those among them that exceed a capacity
 */
public record ExpertRows(long sent, List<Long> received, long chosen, long dropped) {
  /** Copies the list. */
  public ExpertRows {
    received = List.copyOf(received);
  }

  /** The rows of each layer of a job, as though all had experts; none if none has. */
  public static List<ExpertRows> of(Job job) {
    if (job.model().experts().isEmpty()) {
      return List.of();
    }
    Batch batch = job.training().batch();
    Mesh mesh = job.mesh();
    boolean parts = job.strategy().dispatchesParts();
    int split = mesh.degree("cp") * (parts ? mesh.degree("tp") : 1);
    long tokens = (long) batch.micro() * batch.seq() / split;
    return IntStream.range(0, job.model().layers())
        .mapToObj(
            layer ->
                of(
                    job.model().experts().get(),
                    mesh.degree("ep"),
                    tokens,
                    job.strategy().experts(),
                    "layers." + layer))
        .toList();
  }

  /**
   * The rows of a layer.
   *
   * @param ep ranks over which the experts are dealt out, in order
   * @param tokens tokens of a rank
   * @param layer its name
   */
  public static ExpertRows of(
      Model.Experts experts, int ep, long tokens, ExpertStrategy how, String layer) {
    int count = experts.count();
    long chosen = Math.multiplyExact(tokens, (long) experts.perToken());
    long capacity = capacity(how, chosen, count);
    List<Load> loads = how.loads().stream().filter(l -> l.layers().matches(layer)).toList();
    if (loads.isEmpty()) {
      long room = capacity < 0 ? chosen : Math.multiplyExact(capacity, (long) count);
      long kept = Math.min(chosen, room);
      long sent = how.padded() ? room : kept;
      return new ExpertRows(sent, Collections.nCopies(ep, sent), chosen, chosen - kept);
    }
    List<Long> rows = new ArrayList<>();
    long dropped = 0;
    for (long asked : apportion(chosen, loads.get(loads.size() - 1).weights())) {
      long kept = capacity < 0 ? asked : Math.min(asked, capacity);
      dropped += asked - kept;
      rows.add(capacity >= 0 && how.padded() ? capacity : kept);
    }
    int each = count / ep;
    List<Long> received =
        IntStream.range(0, ep)
            .mapToObj(rank -> ep * sum(rows.subList(rank * each, (rank + 1) * each)))
            .toList();
    return new ExpertRows(sum(rows), received, chosen, dropped);
  }

  /** Most rows of one expert from one rank, or -1 without bound. */
  private static long capacity(ExpertStrategy how, long chosen, int experts) {
    return how.capacity().isEmpty()
        ? -1
        : (long) Math.ceil((double) chosen / experts * how.capacity().getAsDouble());
  }

  private static long sum(List<Long> rows) {
    return rows.stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Whole numbers in proportion to {@code weights} that add up to {@code total}: rounded down, and
   * what is left goes one by one to the largest remainders, of equal ones to the first.
   */
  static List<Long> apportion(long total, List<BigDecimal> weights) {
    int scale = weights.stream().mapToInt(BigDecimal::scale).max().orElse(0);
    List<BigInteger> whole =
        weights.stream().map(w -> w.setScale(Math.max(0, scale)).unscaledValue()).toList();
    BigInteger sum = whole.stream().reduce(BigInteger.ZERO, BigInteger::add);
    List<BigInteger[]> parts =
        whole.stream()
            .map(w -> w.multiply(BigInteger.valueOf(total)).divideAndRemainder(sum))
            .toList();
    long[] rows = parts.stream().mapToLong(part -> part[0].longValueExact()).toArray();
    long left = total - IntStream.range(0, rows.length).mapToLong(i -> rows[i]).sum();
    Stream.iterate(0, i -> i < rows.length, i -> i + 1)
        .sorted(Comparator.comparing((Integer i) -> parts.get(i)[1]).reversed())
        .limit(left)
        .forEach(i -> rows[i]++);
    return LongStream.of(rows).boxed().toList();
  }

  /** Rows of the rank that receives most. */
  public long most() {
    return Collections.max(received);
  }

  /** Rows of the rank that receives most, over the mean. */
  public double imbalance() {
    return (double) most() * received.size() / sum(received);
  }
}
