package org.stage.api.workload;

import java.util.function.Supplier;

/**
 * Ranks that share one execution graph and differ only in the members of their groups and peers.
 */
public final class RankClass {
  private final int stage;
  private final RankSet ranks;
  private final Supplier<ExecutionGraph> graph;

  /**
   * A class of ranks.
   *
   * @param stage pipeline rank
   * @param ranks the ranks in it, at least one
   * @param graph makes the graph; called on each {@link #graph()}
   */
  public RankClass(int stage, RankSet ranks, Supplier<ExecutionGraph> graph) {
    this.stage = stage;
    this.ranks = ranks;
    this.graph = graph;
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
}
