package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analysis;

/**
 * A DeepSeek of 16 B parameters as torchtitan runs it, against closed forms: attention and experts
 * gather their input once; latent vectors, gates and rows are made of it on each rank.
 */
class TorchtitanExpertsTest {
  private static final long T = 4 * 4096;
  private static final long A = T * 2048;
  private static final long M = 2;

  private record Point(int tp, int pp, int ep) {
    Analysis.OfClass first(String more) {
      return Jobs.job(
              ("{framework: torchtitan, model: {family: llama, layers: 27, dense_layers: 1, ffn:"
                      + " 10944, hidden: 2048, heads: 16, kv_latent: 512, rotary_dim: 64, plain_dim:"
                      + " 128, value_dim: 128, experts: 64, expert_ffn: 1408, experts_per_token: 6,"
                      + " shared_experts: 2, vocab: 102400}, mesh: {tp: %d, pp: %d, ep: %d}, training:"
                      + " {global_batch: %d, micro_batch: 4, seq: 4096%s}}")
                  .formatted(tp, pp, ep, 4 * M * ep, more))
          .analysis()
          .classes()
          .get(0);
    }

    long layers() {
      return pp == 1 ? 27 : 14;
    }

    /** Ends of the model on the first stage. */
    long ends() {
      return pp == 1 ? 2 : 1;
    }
  }

  static Stream<Point> grid() {
    Stream.Builder<Point> points = Stream.builder();
    for (int tp : new int[] {1, 2, 4}) {
      for (int pp : new int[] {1, 2}) {
        for (int ep : new int[] {4, 8}) {
          points.add(new Point(tp, pp, ep));
        }
      }
    }
    return points.build();
  }

  @ParameterizedTest
  @MethodSource("grid")
  void inputsAreGatheredOnceAndLatentVectorsAreNot(Point p) {
    Analysis.OfClass rank = p.first("");
    // Attention and feed-forward part: the input forward, the gradient of the output backward.
    long gathers = p.tp == 1 ? 0 : M * (4 * p.layers() + p.ends());
    assertThat(Jobs.count(rank, "all-gather", "tp")).isEqualTo(gathers);
    assertThat(Jobs.elements(rank, "all-gather", "tp")).isEqualTo(gathers * A / p.tp);
  }

  @ParameterizedTest
  @MethodSource("grid")
  void outputsAreScatteredAndInputGradientsOfExpertsAreNot(Point p) {
    Analysis.OfClass rank = p.first("");
    long experts = p.layers() - 1;
    long scatters = p.tp == 1 ? 0 : M * (2 * p.layers() + 2 + experts + p.ends());
    assertThat(Jobs.count(rank, "reduce-scatter", "tp")).isEqualTo(scatters);
    assertThat(Jobs.elements(rank, "reduce-scatter", "tp")).isEqualTo(scatters * A);
  }

  @ParameterizedTest
  @MethodSource("grid")
  void inputGradientsOfExpertsAreAllReduced(Point p) {
    Analysis.OfClass rank = p.first("");
    long experts = p.layers() - 1;
    // Experts' input and gates, latent vectors and rotary keys, three numbers a token in the loss;
    // once a step the norms, which see parts of the tokens.
    long loss = p.pp == 1 ? 3 * T : 0;
    long norms = 2048 * (2 * p.layers() + (p.pp == 1 ? 1 : 0));
    long each = experts * (A + T * 64) + p.layers() * T * (512 + 64) + loss;
    assertThat(Jobs.elements(rank, "all-reduce", "tp")).isEqualTo(p.tp == 1 ? 0 : M * each + norms);
  }

  @ParameterizedTest
  @MethodSource("grid")
  void allTensorParallelRanksDispatchAllTokens(Point p) {
    assertThat(Jobs.elements(p.first(""), "all-to-all", "ep"))
        .isEqualTo(M * (p.layers() - 1) * 4 * 6 * A);
  }

  @Test
  void keysSayTheOtherWay() {
    Point p = new Point(2, 1, 4);
    Analysis.OfClass rank = p.first(", latents: sharded, expert_inputs: sharded");
    // Latent vectors and rotary keys are gathered where heads are made, rows where experts are
    // split.
    assertThat(Jobs.count(rank, "all-gather", "tp")).isEqualTo(M * (4 * 27 + 2 + 4 * 26 + 2));
    assertThat(Jobs.elements(rank, "all-to-all", "ep")).isEqualTo(M * 26 * 4 * 6 * A / 2);
  }
}
