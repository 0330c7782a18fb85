package org.stage.api.plugin;

import java.util.Locale;
import java.util.stream.Stream;
import org.stage.api.Experimental;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.Peer;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Workload;

/**
 * What a model, how it was placed, or how it is run asks of a format beyond plain layers. Later
 * versions may add features.
 */
public enum ModelFeature {
  /**
   * An embedding that the first and the last pipeline stage share: a collective between given
   * coordinates of an axis ({@link org.stage.api.workload.Group.Members}).
   */
  TIED_EMBEDDING,
  /**
   * Fewer key and value heads than devices along {@code tp}: a collective along a part of an axis
   * (a {@link org.stage.api.workload.SubAxis} shorter than the axis).
   */
  REPLICATED_HEADS,
  /** Activations that are computed again: nodes of the phase {@code RECOMPUTE}. */
  RECOMPUTATION,
  /**
   * Several jobs that share a network: classes of ranks with a {@link
   * org.stage.api.workload.RankClass#job job}.
   */
  SEVERAL_JOBS,
  /**
   * Devices slower than others of the job: classes of ranks with a {@link
   * org.stage.api.workload.RankClass#slowdown slowdown}.
   */
  SLOW_RANKS,
  /** Messages from one job to another: a peer of {@link org.stage.api.workload.Peer.OfJob}. */
  @Experimental
  MESSAGES_BETWEEN_JOBS;

  /** The name in listings: {@code tied-embedding}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What {@code workload} asks for, whatever its graphs hold. */
  static Stream<ModelFeature> of(Workload workload) {
    Stream<ModelFeature> jobs = workload.jobs().size() > 1 ? Stream.of(SEVERAL_JOBS) : Stream.of();
    boolean slow = workload.classes().stream().anyMatch(each -> each.slowdown() != 1);
    return Stream.concat(jobs, slow ? Stream.of(SLOW_RANKS) : Stream.of());
  }

  /** What {@code node} asks for, on {@code mesh}. */
  static Stream<ModelFeature> of(Mesh mesh, Node node) {
    Stream<ModelFeature> asked = Stream.of();
    if (node.phase() == Phase.RECOMPUTE) {
      asked = Stream.of(RECOMPUTATION);
    }
    if (node instanceof Node.Collective collective) {
      asked = Stream.concat(asked, of(mesh, collective.group()));
    }
    boolean elsewhere =
        (node instanceof Node.Send send && send.peer() instanceof Peer.OfJob)
            || (node instanceof Node.Recv recv && recv.peer() instanceof Peer.OfJob);
    if (elsewhere) {
      asked = Stream.concat(asked, Stream.of(MESSAGES_BETWEEN_JOBS));
    }
    return asked;
  }

  private static Stream<ModelFeature> of(Mesh mesh, Group group) {
    if (group instanceof Group.Along along) {
      return along.axes().stream().anyMatch(axis -> axis.size() < mesh.degree(axis.axis()))
          ? Stream.of(REPLICATED_HEADS)
          : Stream.of();
    }
    return Stream.of(TIED_EMBEDDING);
  }
}
