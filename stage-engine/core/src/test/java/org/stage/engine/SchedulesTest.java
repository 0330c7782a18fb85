package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analysis;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.api.workload.Peer;
import org.stage.api.workload.RankClass;
import org.stage.plan.Instruction;
import org.stage.plan.StepPlan;
import org.stage.state.Moment;

/** What pipeline schedules do to graphs, traffic and memory, against figures worked out by hand. */
class SchedulesTest {
  /** Layers of hidden size 64, 8 heads of 8, feed-forward 160. */
  private static final String JOB =
      "{model: {family: llama, layers: %d, hidden: 64, heads: 8, ffn: 160, vocab: 1024, tied: %s},"
          + " mesh: {%s}, training: {global_batch: %d, seq: 32, schedule: %s%s}}";

  private static final long LAYER = 4 * 64 * 64 + 3 * 64 * 160 + 2 * 64;
  private static final long TABLE = 1024 * 64;
  private static final long TOKENS = 32;

  static Stream<String> jobs() {
    return SeededJobs.some(80);
  }

  private static List<Analysis.OfClass> classes(
      int layers, boolean tied, String mesh, int batch, String schedule, String more) {
    return Jobs.job(JOB.formatted(layers, tied, mesh, batch, schedule, more)).analysis().classes();
  }

  /** A layer's backward pass under tensor and sequence parallelism. */
  @Test
  void whatOnlyGradientsOfWeightsNeedIsTheSecondPartOfABackwardPass() {
    String job = JOB.formatted(2, false, "tp: 2, pp: 2", 2, "1f1b", ", sequence_parallel: true");
    StepPlan.Unit layer = Turns.stages(Jobs.spec(job)).get(0).units().get(1);
    assertThat(part(layer, Moment.WEIGHT_GRADIENTS))
        .extracting(Instruction::name)
        .containsExactlyInAnyOrder(
            "mlp.down.wgrad",
            "mlp_norm.y.all-gather.backward",
            "mlp.up.wgrad",
            "mlp.gate.wgrad",
            "attention.output.wgrad",
            "attention_norm.y.all-gather.backward",
            "attention.query.wgrad",
            "attention.key.wgrad",
            "attention.value.wgrad");
  }

  private static List<Instruction> part(StepPlan.Unit unit, Moment moment) {
    return unit.plan().backward().instructions().stream()
        .filter(instruction -> instruction.moment() == moment)
        .toList();
  }

  @Test
  void anEmbeddingHasNoGradientThatAnybodyWaitsFor() {
    String job = JOB.formatted(2, false, "pp: 2", 2, "1f1b", "");
    StepPlan.Unit embedding = Turns.stages(Jobs.spec(job)).get(0).units().get(0);
    assertThat(part(embedding, Moment.INPUT_GRADIENTS)).isEmpty();
    assertThat(part(embedding, Moment.WEIGHT_GRADIENTS))
        .extracting(Instruction::name)
        .contains("lookup.grad");
  }

  /** Sends of each pipeline rank, in boundary tensors of {@code 32 x 64} elements. */
  @ParameterizedTest
  @CsvSource({
    "8, 1f1b, '', 8 16 16 8",
    "8, zero-bubble, '', 8 16 16 8",
    // (2 v - 1) m at both ends, 2 v m between
    "8, interleaved, ', virtual_stages: 2', 24 32 32 24",
    "8, interleaved, ', virtual_stages: 3', 40 48 48 40",
    // m/2 outputs one way, and as many gradients the same way
    "8, dualpipe, '', 8 16 16 8",
  })
  void eachRankSendsOverEachOfItsBoundaries(
      int microBatches, String schedule, String more, String sends) {
    List<Long> counts =
        classes(12, false, "pp: 4", microBatches, schedule, more).stream()
            .map(rank -> Jobs.elements(rank, "send", "pp") / (TOKENS * 64))
            .toList();
    assertThat(counts).isEqualTo(Stream.of(sends.split(" ")).map(Long::valueOf).toList());
  }

  @Test
  void theLastRankSendsAChunksOutputToTheFirst() {
    String job = JOB.formatted(4, false, "pp: 2", 2, "interleaved", ", virtual_stages: 2");
    ExecutionGraph last = Jobs.job(job).workload().classes().get(1).graph();
    Node.Send send = (Node.Send) node(last, "mb1.chunk0.send.forward");
    assertThat(send.peer()).isEqualTo(new Peer.Along("pp", -1));
    ExecutionGraph first = Jobs.job(job).workload().classes().get(0).graph();
    Node.Recv receive = (Node.Recv) node(first, "mb1.chunk1.recv.forward");
    assertThat(receive.peer()).isEqualTo(new Peer.Along("pp", 1));
    assertThat(receive.tag()).isEqualTo(send.tag());
    assertThat(first.nodes()).extracting(Node::name).contains("mb0.embedding.lookup");
    assertThat(last.nodes()).extracting(Node::name).contains("mb0.head.logits");
  }

  @Test
  void layersLieEvenlyOverChunksTheFirstHavingOneMore() {
    String job = JOB.formatted(10, false, "pp: 2", 2, "interleaved", ", virtual_stages: 4");
    List<StepPlan> stages = Turns.stages(Jobs.spec(job));
    assertThat(layers(stages.get(0))).containsExactly("0 1", "4", "6", "8");
    assertThat(layers(stages.get(1))).containsExactly("2 3", "5", "7", "9");
  }

  private static List<String> layers(StepPlan stage) {
    List<String> chunks = new ArrayList<>();
    for (StepPlan.Chunk chunk : stage.chunks()) {
      chunks.add(
          String.join(
              " ",
              chunk.units().stream()
                  .filter(unit -> unit.name().startsWith("layers."))
                  .map(unit -> unit.name().substring("layers.".length()))
                  .toList()));
    }
    return chunks;
  }

  @Test
  void dualPipeHoldsEveryParameterTwiceAndAddsTheGradientsOfBothCopies() {
    List<Analysis.OfClass> ranks = classes(4, false, "pp: 4", 8, "dualpipe", "");
    long ends = 2 * TABLE + 64;
    for (int rank = 0; rank < 4; rank++) {
      boolean end = rank == 0 || rank == 3;
      long held = 2 * LAYER + (end ? ends : 0);
      assertThat(ranks.get(rank).parameters()).isEqualTo(held);
      assertThat(Jobs.elements(ranks.get(rank), "all-reduce", "pp")).isEqualTo(held);
    }
    long model = 4 * LAYER + ends;
    String job = JOB.formatted(4, false, "pp: 4", 8, "dualpipe", "");
    assertThat(Jobs.job(job).analysis().parameters()).isEqualTo(model);
  }

  @Test
  void underZeroDualPipeAddsShards() {
    for (int zero = 1; zero <= 3; zero++) {
      Analysis.OfClass rank =
          classes(4, false, "pp: 4, dp: 2", 16, "dualpipe", ", zero: " + zero).get(1);
      assertThat(Jobs.elements(rank, "all-reduce", "pp")).isEqualTo(2 * LAYER / 2);
      assertThat(Jobs.elements(rank, "reduce-scatter", "dp"))
          .isEqualTo((zero == 1 ? 1 : 4) * 2 * LAYER);
    }
  }

  @Test
  void theCopiesOfATiedTableNeedNoExchangeOfTheirOwn() {
    Analysis.OfClass rank = classes(4, true, "pp: 4", 8, "dualpipe", "").get(0);
    assertThat(rank.parameters()).isEqualTo(2 * LAYER + TABLE + 64);
    assertThat(Jobs.elements(rank, "all-reduce", "pp")).isEqualTo(2 * LAYER + TABLE + 64);
  }

  @ParameterizedTest
  @CsvSource({"interleaved, ', virtual_stages: 2'", "zero-bubble, ''"})
  void firstAndLastRankAddTheGradientsOfATiedTable(String schedule, String more) {
    List<Analysis.OfClass> ranks = classes(8, true, "pp: 4", 8, schedule, more);
    assertThat(ranks)
        .extracting(rank -> Jobs.elements(rank, "all-reduce", "pp"))
        .containsExactly(TABLE, 0L, 0L, TABLE);
  }

  /** Whatever the schedule: every gradient is there before it is reduced for good. */
  @ParameterizedTest
  @MethodSource("jobs")
  void noKernelAddsToAGradientThatIsReduced(String job) {
    for (RankClass each : Jobs.job(job).workload().classes()) {
      ExecutionGraph graph = each.graph();
      Map<String, Integer> reduced = new TreeMap<>();
      for (Node node : graph.nodes()) {
        if (node instanceof Node.Collective
            && node.name().matches("(layers\\.\\d+|embedding|head)\\.grad\\..*")) {
          reduced.putIfAbsent(node.name().replaceAll("\\.grad\\..*", ""), node.id());
        }
      }
      for (Node node : graph.nodes()) {
        if (!(node instanceof Node.Compute) || !node.name().startsWith("mb")) {
          continue;
        }
        node.header().writes().stream()
            .mapToObj(tensor -> graph.tensors().get(tensor).name())
            .filter(name -> name.matches("(layers\\.\\d+|embedding|head)\\..*\\.grad#\\d+"))
            .map(name -> name.replaceAll("^(layers\\.\\d+|embedding|head)\\..*", "$1"))
            .forEach(
                unit ->
                    assertThat(node.id())
                        .as(node.name())
                        .isLessThan(reduced.getOrDefault(unit, Integer.MAX_VALUE)));
      }
    }
  }

  /**
   * Bytes that one more layer on a stage keeps. {@code M_B} is what gpipe keeps more of it for one
   * micro-batch more; {@code M_W} of a layer is what products for weights read: the inputs {@code
   * h, h, h, f} and the gradients {@code 3h, h, 2f, h} of outputs, of which none is shared.
   */
  @ParameterizedTest
  @CsvSource({"1", "2"})
  void zeroBubbleKeepsSomeMicroBatchesWholeAndOthersForTheGradientsOfWeights(int stage) {
    long whole = perLayer(stage, "gpipe", 9) - perLayer(stage, "gpipe", 8);
    long weights = 2 * TOKENS * (8 * 64 + 3 * 160);
    assertThat(perLayer(stage, "1f1b", 8)).isEqualTo((4 - stage) * whole);
    assertThat(perLayer(stage, "zero-bubble", 8)).isEqualTo((4 - stage) * whole + stage * weights);
  }

  /** Bytes per token and hidden element of arXiv 2401.10241, Table 1: 34 + 5 a s / h and 32. */
  @Test
  void aLayerOfGptKeepsWhatThePaperOnZeroBubbleCounts() {
    String job =
        "{model: {family: gpt, layers: %d, hidden: 64, heads: 8, vocab: 1024, positions: 32},"
            + " mesh: {pp: 4}, training: {global_batch: 8, seq: 32, attention: unfused,"
            + " dropout: true, schedule: zero-bubble, layers_per_stage: [3, %d, 3, 3]}}";
    long[] bytes =
        IntStream.of(3, 4)
            .mapToLong(
                layers ->
                    Jobs.job(job.formatted(9 + layers, layers))
                        .analysis()
                        .classes()
                        .get(1)
                        .memory()
                        .activations())
            .toArray();
    long whole = 34 * TOKENS * 64 + 5 * 8 * TOKENS * TOKENS;
    assertThat(bytes[1] - bytes[0]).isEqualTo(3 * whole + 32 * TOKENS * 64);
  }

  private static long perLayer(int stage, String schedule, int microBatches) {
    long[] bytes =
        IntStream.of(3, 4)
            .mapToLong(
                layers -> {
                  String more = ", layers_per_stage: [3, %d, %d, 3]".formatted(layers, layers);
                  return classes(6 + 2 * layers, false, "pp: 4", microBatches, schedule, more)
                      .get(stage)
                      .memory()
                      .activations();
                })
            .toArray();
    return bytes[1] - bytes[0];
  }

  /** In chunks of 2 and of 3 layers: 11, 9, 7 and 5 chunks on 4 ranks with 2 chunks. */
  @Test
  void interleavedKeepsWhatItsChunksInFlightKeep() {
    long whole = perLayer(1, "gpipe", 9) - perLayer(1, "gpipe", 8);
    String two = ", virtual_stages: 2";
    List<Analysis.OfClass> small = classes(16, false, "pp: 4", 8, "interleaved", two);
    List<Analysis.OfClass> large = classes(24, false, "pp: 4", 8, "interleaved", two);
    for (int rank = 1; rank < 3; rank++) {
      long more = large.get(rank).memory().activations() - small.get(rank).memory().activations();
      assertThat(more).isEqualTo((11 - 2 * rank) * whole);
    }
  }

  /** Five micro-batches of a chunk on 4 ranks, in chunks of 2 and of 3 layers. */
  @Test
  void dualPipeKeepsOneMicroBatchMoreThanThereAreRanks() {
    long whole = perLayer(1, "gpipe", 9) - perLayer(1, "gpipe", 8);
    long small = classes(8, false, "pp: 4", 8, "dualpipe", "").get(1).memory().activations();
    long large = classes(12, false, "pp: 4", 8, "dualpipe", "").get(1).memory().activations();
    assertThat(large - small).isEqualTo(5 * whole);
  }

  private static Node node(ExecutionGraph graph, String name) {
    return graph.nodes().stream().filter(n -> n.name().equals(name)).findFirst().orElseThrow();
  }
}
