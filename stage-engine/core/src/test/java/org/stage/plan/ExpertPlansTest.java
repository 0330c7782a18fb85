package org.stage.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.job.Job;

/**
 * Two layers of 4 experts, of which each of 7 tokens meets 2; where a layer is loaded, its 14 rows
 * go 6, 2, 4 and 2 to the experts, of which each of two ranks has two.
 */
class ExpertPlansTest {
  private static final String YAML =
      "{model: {family: llama, layers: 2, hidden: 8, heads: 2, vocab: 16, experts: 4,"
          + " experts_per_token: 2, expert_ffn: 12}, mesh: {ep: 2, %s},"
          + " training: {seq: %d, global_batch: %d, %s}}";

  private final List<Map<String, Long>> made = new ArrayList<>();

  private static Job job(String mesh, int seq, int batch, String training) {
    return ToyJobs.job(YAML.formatted(mesh, seq, batch, training));
  }

  private static Job loaded(String layers) {
    return job("dp: 1", 7, 2, "expert_load: {" + layers + ": [3, 1, 2, 1]}");
  }

  private ExpertPlans plans(Job job) {
    return new ExpertPlans(
        job,
        (block, rows) -> {
          made.add(rows);
          return Units.unit(Units.how(0));
        });
  }

  private static Map<String, Long> rows(long sent, long held, long most) {
    return Map.of("expert_rows", sent, "held_rows", held, "most_rows", most);
  }

  /** From both ranks the first receives 8 rows, the second 6; both ranks send 14. */
  @Test
  void aPlanCountsTheRowsOfItsRankAndOfTheFullest() {
    ExpertPlans plans = plans(loaded("layers.*"));
    plans.at(0, 0);
    plans.at(0, 1);
    assertThat(made).containsExactly(rows(28, 32, 32), rows(28, 24, 32));
  }

  @Test
  void plansAreSharedByLayersAndRanksOfAsManyRows() {
    ExpertPlans plans = plans(loaded("layers.1"));
    assertThat(plans.at(0, 0)).isSameAs(plans.at(0, 1));
    assertThat(plans.at(1, 0)).isNotSameAs(plans.at(1, 1)).isNotSameAs(plans.at(0, 0));
    assertThat(plans.at(1, 1)).isSameAs(plans.at(1, 1));
    assertThat(made).hasSize(3);
  }

  @Test
  void nothingIsPlannedBeforeItIsAskedFor() {
    plans(loaded("layers.1"));
    assertThat(made).isEmpty();
  }

  /** Each of the tensor-parallel ranks dispatches all 8 tokens, or with parts of them 4. */
  @Test
  void tensorParallelRanksDispatchTheSameTokensOrParts() {
    plans(job("tp: 2", 8, 2, "sequence_parallel: false")).at(0, 0);
    plans(job("tp: 2", 8, 2, "sequence_parallel: true")).at(0, 0);
    // 2 sources of 16 rows; 4 sources of 8 rows.
    assertThat(made).containsExactly(rows(32, 32, 32), rows(32, 32, 32));
  }

  /** Rows of one stage, from all its ranks. */
  @Test
  void stagesDoNotAddUpButReplicasDo() {
    plans(job("pp: 2", 8, 2, "sequence_parallel: false")).at(0, 0);
    plans(job("dp: 2", 8, 4, "sequence_parallel: false")).at(0, 0);
    assertThat(made).containsExactly(rows(32, 32, 32), rows(64, 64, 64));
  }

  @Test
  void coordinatesWithTheSameRowsInAllLayersStandTogether() {
    ExpertPlans plans = plans(loaded("layers.1"));
    assertThat(plans.alike(List.of(0), 2)).containsExactly(List.of(0, 1));
    assertThat(plans.alike(List.of(1), 2)).containsExactly(List.of(0), List.of(1));
    assertThat(plans.alike(List.of(0, 1), 2)).containsExactly(List.of(0), List.of(1));
    assertThat(plans.alike(List.of(), 2)).containsExactly(List.of(0, 1));
  }
}
