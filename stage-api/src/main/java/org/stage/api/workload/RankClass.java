package org.stage.api.workload;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Ranks that share one execution graph and differ only in the members of their groups and peers.
 *
 * <p>Where a workload holds several jobs, each class says of which it is. Where a device is slow,
 * its class says how slow; the graph is that of a sound device.
 */
public final class RankClass {
  private final int stage;
  private final RankSet ranks;
  private final Supplier<ExecutionGraph> graph;
  private final Optional<JobMesh> job;
  private final double slowdown;
  private final Optional<PipelineSchedule> schedule;

  /**
   * A class of ranks of the only job, of sound devices.
   *
   * @param stage pipeline rank
   * @param ranks the ranks in it, at least one
   * @param graph makes the graph; called on each {@link #graph()}
   */
  public RankClass(int stage, RankSet ranks, Supplier<ExecutionGraph> graph) {
    this(stage, ranks, graph, Optional.empty(), 1, Optional.empty());
  }

  private RankClass(
      int stage,
      RankSet ranks,
      Supplier<ExecutionGraph> graph,
      Optional<JobMesh> job,
      double slowdown,
      Optional<PipelineSchedule> schedule) {
    this.stage = stage;
    this.ranks = ranks;
    this.graph = graph;
    this.job = job;
    this.slowdown = slowdown;
    this.schedule = schedule;
  }

  /** The same class with other ranks: a part of these, or where its job lies among others. */
  public RankClass withRanks(RankSet others) {
    return new RankClass(stage, others, graph, job, slowdown, schedule);
  }

  /** The same class with its graph made in another way, such as guarded. */
  public RankClass withGraph(Supplier<ExecutionGraph> other) {
    return new RankClass(stage, ranks, other, job, slowdown, schedule);
  }

  /** The same class as one of {@code job}, which shares the workload with others. */
  public RankClass ofJob(JobMesh of) {
    return new RankClass(stage, ranks, graph, Optional.of(of), slowdown, schedule);
  }

  /**
   * The same class on devices that are slower by {@code factor}.
   *
   * @throws IllegalArgumentException if it is not a number above 0
   */
  public RankClass slowedBy(double factor) {
    if (!(factor > 0 && factor < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a device cannot be slower by " + factor);
    }
    return new RankClass(stage, ranks, graph, job, slowdown * factor, schedule);
  }

  /** The same class as one that works by {@code order}. */
  public RankClass scheduled(PipelineSchedule order) {
    return new RankClass(stage, ranks, graph, job, slowdown, Optional.of(order));
  }

  /** The pipeline rank that all ranks of the class have. */
  public int stage() {
    return stage;
  }

  /** The ranks of the class. */
  public RankSet ranks() {
    return ranks;
  }

  /** Builds the graph. It is not kept: ask once, use it, let it go. */
  public ExecutionGraph graph() {
    return graph.get();
  }

  /**
   * The job of which the ranks are; empty if there is only one. {@link Workload#meshOf} gives the
   * mesh in both cases.
   */
  public Optional<JobMesh> job() {
    return job;
  }

  /**
   * How many times longer each {@link Node.Compute} takes than its operations and bytes, or its
   * {@link Details#durationNs duration}, say; 1 of a sound device. Whoever derives or writes the
   * time of a kernel multiplies by it. Counts of operations and bytes stay as they are.
   */
  public double slowdown() {
    return slowdown;
  }

  /**
   * How micro-batches pass the stages of its pipeline; empty without a pipeline, and where a trace
   * that was read does not say.
   */
  public Optional<PipelineSchedule> schedule() {
    return schedule;
  }
}
