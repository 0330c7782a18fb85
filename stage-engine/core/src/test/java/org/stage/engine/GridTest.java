package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analysis;
import org.stage.api.workload.DataType;

/**
 * GPT and Llama over a grid of strategies against closed forms: matrix-product FLOPs, and count and
 * elements of every kind of traffic of every stage.
 */
class GridTest {
  private static final long H = 64;
  private static final long F = 256;
  private static final long LLAMA_F = 160;
  private static final long V = 1024;
  private static final long S = 32;
  private static final long B = 16;
  private static final long LAYERS = 6;
  private static final long KV_WIDTH = 32;

  /** One point of the grid. */
  private record Point(
      boolean gpt, int dp, int tp, boolean sp, int pp, String schedule, boolean flash, int mb) {
    long microBatches() {
      return B / dp / mb;
    }

    /** Elements of a micro-batch's residual stream. */
    long activations() {
      return mb * S * H;
    }

    String yaml() {
      String model =
          gpt
              ? "{family: gpt, layers: 6, hidden: 64, heads: 8, vocab: 1024, positions: 32}"
              : "{family: llama, layers: 6, hidden: 64, heads: 8, kv_heads: 4, ffn: 160, vocab: 1024}";
      return ("{model: %s, mesh: {dp: %d, tp: %d, pp: %d}, training: {global_batch: 16, seq: 32,"
              + " micro_batch: %d, sequence_parallel: %s, schedule: %s, attention: %s}}")
          .formatted(model, dp, tp, pp, mb, sp, schedule, flash ? "flash" : "unfused");
    }
  }

  static Stream<Point> grid() {
    Stream.Builder<Point> points = Stream.builder();
    for (boolean gpt : new boolean[] {true, false}) {
      for (int dp : new int[] {1, 2, 4}) {
        for (int tp : new int[] {1, 2, 4}) {
          for (boolean sp : new boolean[] {false, true}) {
            for (int pp : new int[] {1, 2, 3, 4}) {
              boolean even = (dp + tp + pp) % 2 == 0;
              points.add(
                  new Point(
                      gpt, dp, tp, sp, pp, even ? "gpipe" : "1f1b", even != sp, even ? 1 : 2));
            }
          }
        }
      }
    }
    return points.build();
  }

  @ParameterizedTest
  @MethodSource("grid")
  void flopsAreThoseOfTheClosedFormWhateverTheParallelisation(Point p) {
    long matrices = p.gpt ? 4 * H * H + 2 * H * F : 2 * H * H + 2 * H * KV_WIDTH + 3 * H * LLAMA_F;
    long tokens = B * S;
    long forward = 2 * tokens * (LAYERS * matrices + H * V);
    long product = 2 * B * S * S * H * LAYERS;
    long attention = (p.flash ? 7 : 6) * product;
    assertThat(Jobs.job(p.yaml()).analysis().totalFlops())
        .isEqualTo(BigInteger.valueOf(3 * forward + attention));
  }

  @ParameterizedTest
  @MethodSource("grid")
  void trafficOfEachStageIsThatOfTheClosedForm(Point p) {
    List<Analysis.OfClass> stages = Jobs.job(p.yaml()).analysis().classes();
    assertThat(stages).hasSize(p.pp);
    for (Analysis.OfClass stage : stages) {
      long layers = LAYERS / p.pp + (stage.stage() < LAYERS % p.pp ? 1 : 0);
      boolean first = stage.stage() == 0;
      boolean last = stage.stage() == p.pp - 1;
      tensorParallel(p, stage, layers, first, last);
      dataParallel(p, stage, layers, first, last);
      pipeline(p, stage, first, last);
    }
  }

  private static void tensorParallel(
      Point p, Analysis.OfClass stage, long layers, boolean first, boolean last) {
    long m = p.microBatches();
    long gathers = 0;
    long scatters = 0;
    long reductions = 0;
    long gradients = 0;
    if (p.tp > 1 && p.sp) {
      gathers = m * (6 * layers + (first ? 1 : 0) + (last ? 2 : 0));
      scatters = m * (4 * layers + (first && !p.gpt ? 1 : 0) + (last ? 1 : 0));
      reductions = m * (first && p.gpt ? 1 : 0);
      gradients = p.gpt ? 6 * H * layers + (last ? 2 * H : 0) : 2 * H * layers + (last ? H : 0);
    } else if (p.tp > 1) {
      reductions = m * (4 * layers + (first ? 1 : 0) + (last ? 1 : 0));
    }
    expect(stage, "all-gather", "tp", DataType.BF16, gathers, p.activations() / p.tp);
    expect(stage, "reduce-scatter", "tp", DataType.BF16, scatters, p.activations());
    expect(stage, "all-reduce", "tp", DataType.BF16, reductions, p.activations());
    long losses = p.tp > 1 && last ? 3 * m : 0;
    long units = gradients == 0 ? 0 : layers + (last ? 1 : 0);
    assertThat(sum(stage, "all-reduce", "tp", DataType.FP32))
        .containsExactly(losses + units, losses * p.mb * S + gradients);
  }

  private static void dataParallel(
      Point p, Analysis.OfClass stage, long layers, boolean first, boolean last) {
    long inLayer =
        p.gpt
            ? (4 * H * H + 2 * H * F + 3 * H + F) / p.tp + 6 * H
            : (2 * H * H + 2 * H * KV_WIDTH + 3 * H * LLAMA_F) / p.tp + 2 * H;
    long table = V * H / p.tp;
    boolean ownHead = last && !(p.gpt && p.pp == 1);
    long elements = layers * inLayer;
    elements += first ? table + (p.gpt ? S * H : 0) : 0;
    elements += (ownHead ? table : 0) + (last ? (p.gpt ? 2 : 1) * H : 0);
    assertThat(stage.parameters()).isEqualTo(elements);
    long units = layers + (first ? 1 : 0) + (last ? 1 : 0);
    long[] expected = p.dp > 1 ? new long[] {units, elements} : new long[] {0, 0};
    assertThat(sum(stage, "all-reduce", "dp", DataType.FP32)).containsExactly(expected);
    boolean tied = p.gpt && p.pp > 1 && (first || last);
    long[] exchanged = tied ? new long[] {1, table} : new long[] {0, 0};
    assertThat(sum(stage, "all-reduce", "pp", DataType.FP32)).containsExactly(exchanged);
  }

  private static void pipeline(Point p, Analysis.OfClass stage, boolean first, boolean last) {
    int neighbours = (first ? 0 : 1) + (last ? 0 : 1);
    long each = p.sp ? p.activations() / p.tp : p.activations();
    expect(stage, "send", "pp", DataType.BF16, neighbours * p.microBatches(), each);
    expect(stage, "recv", "pp", DataType.BF16, neighbours * p.microBatches(), each);
  }

  private static void expect(
      Analysis.OfClass stage, String kind, String axis, DataType type, long count, long each) {
    assertThat(sum(stage, kind, axis, type)).as(kind).containsExactly(count, count * each);
  }

  private static long[] sum(Analysis.OfClass stage, String kind, String axis, DataType type) {
    long count = 0;
    long elements = 0;
    for (Analysis.Traffic t : stage.traffic()) {
      if (t.kind().equals(kind) && t.axis().equals(axis) && t.type() == type) {
        count += t.count();
        elements += t.elements();
      }
    }
    return new long[] {count, elements};
  }
}
