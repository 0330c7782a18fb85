package org.stage.analyze;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Phase;
import org.stage.api.workload.RankSet;
import org.stage.arithmetic.Sums;

/**
 * What a job costs. Per class, every figure is of one rank and one step.
 *
 * @param model the model's name
 * @param parameters trained parameters of the model, vocabulary unpadded
 * @param activeParameters those that one token meets
 * @param mesh the device mesh
 * @param classes rank classes by lowest rank
 */
public record Analysis(
    String model, long parameters, long activeParameters, Mesh mesh, List<OfClass> classes) {
  /** Copies the list. */
  public Analysis {
    classes = List.copyOf(classes);
  }

  /** FLOPs of matrix and attention products, over all ranks. */
  public BigInteger totalFlops() {
    return total(c -> Sums.of(c.flops().values()));
  }

  /** Bytes that enter collectives or are sent, over all ranks; receives are not added. */
  public BigInteger totalTrafficBytes() {
    return total(
        c ->
            Sums.of(
                c.traffic().stream()
                    .filter(t -> !t.kind().equals("recv"))
                    .mapToLong(Traffic::bytes)));
  }

  /** Peak memory of the rank that needs most, bytes. */
  public long peakMemoryBytes() {
    return classes.stream().mapToLong(c -> c.memory().peak()).max().orElse(0);
  }

  /** Nodes of the execution graphs, over all ranks. */
  public BigInteger totalNodes() {
    return total(OfClass::nodes);
  }

  private BigInteger total(ToLongFunction<OfClass> perRank) {
    return classes.stream()
        .map(
            c ->
                BigInteger.valueOf(perRank.applyAsLong(c))
                    .multiply(BigInteger.valueOf(c.ranks().size())))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /**
   * One rank of a class.
   *
   * @param stage pipeline rank
   * @param ranks the ranks of the class
   * @param nodes nodes of the execution graph
   * @param operations what it computes
   * @param traffic by kind, axes, group size and data type, in that order
   * @param parameters parameters on the rank, elements, vocabulary padded, before ZeRO shards them
   * @param memory device memory at its peak
   */
  public record OfClass(
      int stage,
      RankSet ranks,
      long nodes,
      Operations operations,
      List<Traffic> traffic,
      long parameters,
      Memory memory) {
    /** Copies the list. */
    public OfClass {
      traffic = List.copyOf(traffic);
    }

    /** {@link Operations#products} by phase. */
    public Map<Phase, Long> flops() {
      return operations.products();
    }

    /** {@link Operations#others}. */
    public long otherFlops() {
      return operations.others();
    }
  }

  /**
   * Operations of one rank in a step.
   *
   * @param products FLOPs of matrix and attention products by phase; every phase is a key
   * @param others all other operations
   */
  public record Operations(Map<Phase, Long> products, long others) {
    /** Copies the map. */
    public Operations {
      products = Map.copyOf(products);
    }
  }

  /**
   * Communication of one kind.
   *
   * @param kind {@code all-reduce}, {@code all-gather}, {@code reduce-scatter}, {@code all-to-all},
   *     {@code send} or {@code recv}
   * @param axis mesh axes of the group joined by {@code +}
   * @param groupSize members
   * @param type data type
   * @param count how often
   * @param elements sum of the elements of this rank's input (of an all-gather its shard)
   * @param bytes the same in bytes
   */
  public record Traffic(
      String kind,
      String axis,
      int groupSize,
      DataType type,
      long count,
      long elements,
      long bytes) {}
}
