package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analysis;
import org.stage.api.workload.DataType;

/** Experts that are split over fewer ranks than all else, against closed forms. */
class ExpertTensorParallelTest {
  private static final long H = 64;
  private static final long S = 32;
  private static final long LAYERS = 4;
  private static final long EXPERTS = 8;
  private static final long TOP_K = 2;
  private static final long EXPERT_FFN = 32;
  private static final long KV_WIDTH = 32;
  private static final long V = 1024;
  private static final long B = 16;

  /** One point of the grid; {@code e} is the tensor parallelism of experts. */
  private record Point(int tp, int e, int ep, int dp, int cp) {
    Analysis job(String more) {
      return Jobs.job(
              ("{model: {family: llama, layers: 4, hidden: 64, heads: 8, kv_heads: 4, vocab: 1024,"
                      + " experts: 8, experts_per_token: 2, expert_ffn: 32}, mesh: {ep: %d, dp: %d,"
                      + " tp: %d, cp: %d}, training: {global_batch: 16, seq: 32, sequence_parallel:"
                      + " true, expert_tp: %d%s}}")
                  .formatted(ep, dp, tp, cp, e, more))
          .analysis();
    }

    Analysis.OfClass rank(String more) {
      return job(more).classes().get(0);
    }

    long microBatches() {
      return B / (ep * dp);
    }

    long activations() {
      return S / cp * H;
    }

    /** Elements that a rank dispatches in a layer. */
    long dispatched() {
      return TOP_K * activations() / tp;
    }

    /** Parameters of experts on a rank. */
    long experts() {
      return LAYERS * EXPERTS * 3 * H * EXPERT_FFN / ep / e;
    }

    /** Ranks with the same experts. */
    int copies() {
      return dp * cp * tp / e;
    }

    /** Axes of the group of those. */
    String copyAxes() {
      String axes = (dp > 1 ? "dp+" : "") + (cp > 1 ? "cp+" : "") + (e < tp ? "tp+" : "");
      return axes.isEmpty() ? "" : axes.substring(0, axes.length() - 1);
    }
  }

  static Stream<Point> grid() {
    Stream.Builder<Point> points = Stream.builder();
    for (int tp : new int[] {2, 4, 8}) {
      for (int e = 1; e <= tp; e *= 2) {
        for (int ep : new int[] {1, 2, 4}) {
          for (int dp : new int[] {1, 2}) {
            for (int cp : new int[] {1, 2}) {
              points.add(new Point(tp, e, ep, dp, cp));
            }
          }
        }
      }
    }
    return points.build();
  }

  @ParameterizedTest
  @MethodSource("grid")
  void rowsAreGatheredOnlyOverTheRanksThatSplitAnExpert(Point p) {
    Analysis.OfClass rank = p.rank("");
    long layers = p.microBatches() * LAYERS;
    long shard = p.activations() / p.tp;
    long exchanges = p.ep > 1 ? 4 * layers : 0;
    assertThat(Jobs.count(rank, "all-to-all", "ep")).isEqualTo(exchanges);
    assertThat(Jobs.elements(rank, "all-to-all", "")).isEqualTo(exchanges * p.dispatched());
    long rows = p.e > 1 ? 2 * layers * p.dispatched() : 0;
    long gathers = 3 * layers * shard + rows + 3 * p.microBatches() * shard;
    assertThat(Jobs.elements(rank, "all-gather", "tp")).isEqualTo(gathers);
    long scatters = 2 * layers * p.activations() + p.e * rows;
    scatters += 2 * p.microBatches() * p.activations();
    assertThat(Jobs.elements(rank, "reduce-scatter", "tp")).isEqualTo(scatters);
  }

  @ParameterizedTest
  @MethodSource("grid")
  void expertsAreReducedOverTheirCopiesAndSharedOutAmongThem(Point p) {
    long dense = LAYERS * (2 * H * H + 2 * H * KV_WIDTH * Math.max(1, p.tp / 4)) / p.tp;
    dense += LAYERS * (2 * H + H * EXPERTS) + H + 2 * V * H / p.tp;
    assertThat(p.rank("").parameters()).isEqualTo(dense + p.experts());
    if (p.copies() == 1) {
      return;
    }
    long inside = p.copyAxes().equals("tp") ? gradientsOverTp(p) : 0;
    // Without expert parallelism, all else has the same copies.
    long shared = p.ep == 1 && p.e == p.tp ? dense : 0;
    assertThat(gradients(p.rank(""), "all-reduce", p.copyAxes()))
        .isEqualTo(p.experts() + inside + shared);
    Analysis.OfClass sharded = p.rank(", zero: 1");
    assertThat(gradients(sharded, "reduce-scatter", p.copyAxes())).isEqualTo(p.experts() + shared);
    assertThat(Jobs.elements(sharded, "all-gather", p.copyAxes()))
        .isEqualTo(
            (p.experts() + shared) / p.copies()
                + Jobs.elements(p.rank(""), "all-gather", p.copyAxes()));
  }

  /** Norms and routers see a part of the tokens each; where keys are replicated, so do they. */
  private static long gradientsOverTp(Point p) {
    long keys = p.tp > 4 ? LAYERS * 2 * H * KV_WIDTH / 4 : 0;
    return keys + LAYERS * (2 * H + H * EXPERTS) + H + 3 * p.microBatches() * S / p.cp;
  }

  private static long gradients(Analysis.OfClass rank, String kind, String axis) {
    return rank.traffic().stream()
        .filter(t -> t.kind().equals(kind) && t.axis().equals(axis))
        .filter(t -> t.type() == DataType.FP32)
        .mapToLong(Analysis.Traffic::elements)
        .sum();
  }

  @ParameterizedTest
  @MethodSource("grid")
  void workIsTheSameHoweverExpertsAreSplit(Point p) {
    long attention = 2 * H * H + 2 * H * KV_WIDTH * Math.max(1, p.tp / 4);
    long experts = TOP_K * 3 * H * EXPERT_FFN + H * EXPERTS;
    long forward = 2 * B * S * (LAYERS * (attention + experts) + H * V);
    long scores = 7 * 2 * B * S * S * H * LAYERS;
    assertThat(p.job("").totalFlops()).isEqualTo(BigInteger.valueOf(3 * forward + scores));
  }

  @Test
  void shardsOfExpertsAreTheirsWhereNothingElseHasCopies() {
    Point p = new Point(2, 1, 1, 1, 1);
    for (int zero : new int[] {2, 3}) {
      Analysis.OfClass rank = p.rank(", zero: " + zero);
      long each = p.microBatches() * p.experts();
      assertThat(gradients(rank, "reduce-scatter", "tp")).isEqualTo(each);
      assertThat(gradients(rank, "all-reduce", "tp")).isEqualTo(gradientsOverTp(p));
    }
  }
}
