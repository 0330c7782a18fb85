package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.workload.PipelineSchedule;
import org.stage.api.workload.Workload;

/** What a workload tells exporters of its pipeline's schedule. */
class ScheduleOfClassesTest {
  private static final String JOB =
      "{model: {family: llama, layers: 4, hidden: 64, heads: 8, ffn: 160, vocab: 1024},"
          + " mesh: {%s}, training: {%s global_batch: 4, seq: 32}}";

  @ParameterizedTest
  @CsvSource({
    "'pp: 2', '', 1f1b, 1",
    "'pp: 2', 'schedule: interleaved, virtual_stages: 2,', interleaved, 2",
    "'pp: 2', 'schedule: zero-bubble,', zero-bubble, 1",
    "'dp: 2', '', '', 0",
  })
  void eachClassSaysByWhichScheduleItWorks(
      String mesh, String training, String name, int virtualStages) {
    Workload workload = Jobs.job(JOB.formatted(mesh, training)).workload();
    Optional<PipelineSchedule> said =
        name.isEmpty() ? Optional.empty() : Optional.of(new PipelineSchedule(name, virtualStages));
    assertThat(workload.classes())
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.schedule()).isEqualTo(said));
  }
}
