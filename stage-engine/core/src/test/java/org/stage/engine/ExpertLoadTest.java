package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.analyze.Analysis;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/** Experts that are not equally loaded, against hand-computed rows. */
class ExpertLoadTest {
  private static final long H = 64;
  private static final long S = 32;
  private static final long LAYERS = 4;
  private static final long EXPERT_FFN = 32;
  private static final long KV_WIDTH = 32;
  private static final long MICRO_BATCHES = 4;

  /** The loads of 64 rows are 32, 11, 11, 10, so the ranks have 86 and 42 rows of 128. */
  private static final String SKEWED = "expert_load: {layers.*: [3, 1, 1, 1]}";

  private static Synthesis job(String mesh, String more) {
    return Jobs.job(
        ("{model: {family: llama, layers: 4, hidden: 64, heads: 8, kv_heads: 4, vocab: 1024,"
                + " experts: 4, experts_per_token: 2, expert_ffn: 32}, mesh: {%s}, training:"
                + " {global_batch: 8, seq: 32, %s}}")
            .formatted(mesh, more));
  }

  /** FLOPs of a forward pass of one rank with {@code rows} rows of experts a layer. */
  private static long forward(long rows) {
    long attention = S * (2 * H * H + 2 * H * KV_WIDTH) + 2 * S * S * H;
    long layer = attention + S * H * 4 + rows * 3 * H * EXPERT_FFN;
    return MICRO_BATCHES * 2 * (LAYERS * layer + S * H * 1024);
  }

  @Test
  void eachExpertParallelRankWorksOnTheRowsOfItsExperts() {
    List<Analysis.OfClass> classes = job("ep: 2", SKEWED).analysis().classes();
    assertThat(classes).extracting(of -> of.ranks() + "").containsExactly("0", "1");
    assertThat(classes)
        .extracting(of -> of.flops().get(Phase.FORWARD))
        .containsExactly(forward(86), forward(42));
    assertThat(forward(86) + forward(42)).isEqualTo(2 * forward(64));
  }

  @Test
  void exchangesCountWhatARankSendsAndOnTheWayBackWhatTheFullestRankDoes() {
    for (Analysis.OfClass of : job("ep: 2", SKEWED).analysis().classes()) {
      assertThat(Jobs.count(of, "all-to-all", "ep")).isEqualTo(4 * MICRO_BATCHES * LAYERS);
      assertThat(Jobs.elements(of, "all-to-all", "ep"))
          .isEqualTo(2 * MICRO_BATCHES * LAYERS * (64 + 86) * H);
    }
  }

  @Test
  void rowsAreGatheredAndScatteredAsEachRankHasThem() {
    // Half the tokens a rank: 32 rows, of which experts get 16, 6, 5, 5.
    List<Analysis.OfClass> classes =
        job("ep: 2, tp: 2", "sequence_parallel: true, " + SKEWED).analysis().classes();
    assertThat(classes).extracting(of -> of.ranks() + "").containsExactly("0-1", "2-3");
    long layers = MICRO_BATCHES * LAYERS;
    long attention = (3 * layers + 3 * MICRO_BATCHES) * S * H / 2;
    for (int i = 0; i < 2; i++) {
      long rows = i == 0 ? 2 * 22 : 2 * 10;
      assertThat(Jobs.elements(classes.get(i), "all-gather", "tp"))
          .isEqualTo(attention + 2 * layers * rows * H);
    }
  }

  @Test
  void onlyStagesWithUnequalRowsHaveSeveralClasses() {
    Analysis analysis =
        job("ep: 2, pp: 2, dp: 2", "expert_load: {layers.0: [3, 1, 1, 1]}").analysis();
    assertThat(analysis.classes())
        .extracting(of -> of.stage() + " " + of.ranks())
        .containsExactly("0 0,2", "0 1,3", "1 4-7");
    Analysis balanced = job("ep: 2", "expert_load: {layers.*: [3, 1, 2, 2]}").analysis();
    assertThat(balanced.classes()).hasSize(1);
    assertThat(balanced.totalFlops())
        .isEqualTo(job("ep: 2", "expert_load: uniform").analysis().totalFlops());
  }

  @Test
  void aCapacityDropsRowsOrPadsThem() {
    String bound = SKEWED + ", expert_capacity: {factor: 1.2, pad: false}";
    assertThat(job("ep: 2", bound).analysis().classes())
        .extracting(of -> of.flops().get(Phase.FORWARD))
        .containsExactly(forward(2 * 31), forward(2 * 21));
    String padded = SKEWED + ", expert_capacity: {factor: 1.2}";
    assertThat(job("ep: 2", padded).analysis().classes())
        .extracting(of -> of.flops().get(Phase.FORWARD))
        .containsExactly(forward(80));
    String uniform = "expert_capacity: {factor: 1.2, pad: false}";
    assertThat(job("ep: 2", uniform).analysis().classes())
        .extracting(of -> of.flops().get(Phase.FORWARD))
        .containsExactly(forward(64));
  }

  @Test
  void theRowsOfARankAreSpreadOverItsExpertsAsFarAsTheyDivide() {
    Workload workload = job("ep: 2", SKEWED).workload();
    workload.verify();
    assertThat(shapes(workload.classes().get(0), "mb0.layers.0.moe.experts.up"))
        .containsExactly(new MatrixShape(2, 43, EXPERT_FFN, H));
    assertThat(shapes(workload.classes().get(1), "mb0.layers.0.moe.experts.up"))
        .containsExactly(new MatrixShape(2, 21, EXPERT_FFN, H));
    // Nine rows on one rank's four experts: as many in all, of fewer products.
    Workload odd =
        Jobs.job(
                "{model: {family: llama, layers: 1, hidden: 64, heads: 8, vocab: 1024, experts: 4,"
                    + " experts_per_token: 3, expert_ffn: 32}, training: {global_batch: 1, seq: 3}}")
            .workload();
    assertThat(shapes(odd.classes().get(0), "mb0.layers.0.moe.experts.up"))
        .containsExactly(new MatrixShape(1, 9, EXPERT_FFN, H));
  }

  @Test
  void aDurationThatIsSetByHandLeavesEachRankItsRows() {
    Synthesis timed =
        Jobs.job(
            "{model: {family: llama, layers: 2, hidden: 64, heads: 8, vocab: 1024, experts: 4,"
                + " experts_per_token: 2, expert_ffn: 32}, mesh: {ep: 2}, training: {global_batch:"
                + " 2, seq: 32, "
                + SKEWED
                + "}, inject: {layers.1.moe.experts.up: {duration_us: 7}}}");
    assertThat(timed.workload().classes())
        .extracting(of -> kernels(of, "mb0.layers.1.moe.experts.up").get(0))
        .extracting(up -> up.shape().m() + " rows, " + up.details().durationNs().orElse(0) + " ns")
        .containsExactly("43 rows, 7000 ns", "21 rows, 7000 ns");
  }

  @Test
  void imbalanceAndDroppedRowsAreSaid() {
    assertThat(warnings(job("ep: 2", "expert_load: uniform"))).isEmpty();
    assertThat(warnings(job("ep: 2", "expert_capacity: {factor: 1.5}"))).isEmpty();
    assertThat(warnings(job("ep: 2", SKEWED + ", expert_capacity: {factor: 1.2, pad: false}")))
        .extracting(Diagnostic::message)
        .containsExactly(
            "the fullest of 2 expert-parallel ranks has 1.19 times the mean rows in layers.0, and"
                + " the others wait for it",
            "18.75 % of the rows exceed the capacity of their experts and are dropped");
  }

  /** Those about experts. */
  private static List<Diagnostic> warnings(Synthesis job) {
    return job.advice(job.analysis()).stream()
        .filter(warning -> warning.source().contains("training.expert"))
        .toList();
  }

  private static List<MatrixShape> shapes(RankClass of, String name) {
    return kernels(of, name).stream().map(Node.Compute::shape).toList();
  }

  private static List<Node.Compute> kernels(RankClass of, String name) {
    return of.graph().nodes().stream()
        .filter(node -> node.name().equals(name))
        .map(node -> (Node.Compute) node)
        .toList();
  }

  @Test
  void theActivationsOfAFullRankTakeMoreMemory() {
    List<Analysis.OfClass> classes = job("ep: 2", SKEWED).analysis().classes();
    long full = classes.get(0).memory().activations();
    long idle = classes.get(1).memory().activations();
    // Of 44 more rows, each layer keeps what experts get and make (input, gate and up, activation),
    // and what they gave.
    assertThat(full - idle).isGreaterThanOrEqualTo(LAYERS * 44 * (H + 3 * EXPERT_FFN) * 2);
    assertThat(Map.of(0, classes.get(0).memory().parameters()))
        .containsEntry(0, classes.get(1).memory().parameters());
  }
}
