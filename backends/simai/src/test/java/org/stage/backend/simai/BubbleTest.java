package org.stage.backend.simai;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.workload.PipelineSchedule;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/** What the header says of the pipeline's schedule, and what it leaves to a loss. */
final class BubbleTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "1f1b, 1, 0, 1, ",
    "gpipe, 1, 0, 1, ",
    "interleaved, 2, 0, 2, ",
    "interleaved, 2, 5, 5, 'the schedule interleaved has vpp 2: the file has the bubble of 1F1B with 5 chunks'",
    "zero-bubble, 1, 0, 1, the schedule zero-bubble is not in the file",
    "dualpipe, 1, 0, 1, the schedule dualpipe is not in the file",
    ", 1, 0, 1, the schedule of the pipeline is not known",
  })
  void theHeaderHasTheChunksAndALossTheRest(
      String schedule, int chunks, String option, int vpp, String said) throws IOException {
    Optional<PipelineSchedule> order =
        Optional.ofNullable(schedule).map(name -> new PipelineSchedule(name, chunks));
    Workload workload = twoStages(order);
    assertThat(notes(workload, option).filter(each -> each.contains("schedule")))
        .hasSize(said == null ? 0 : 1)
        .allMatch(each -> each.contains(String.valueOf(said)));
    assertThat(Files.readAllLines(directory.resolve("w.txt")).get(0))
        .contains(" vpp: " + vpp + " ");
  }

  @Test
  void withoutAPipelineThereIsNoBubbleToSpeakOf() throws IOException {
    Workload workload =
        Workloads.single(
            Workloads.mesh("dp", 2), new GraphBuilder().product("mb0.layers.0.mlp.up", 2));
    assertThat(notes(workload, "0")).noneMatch(each -> each.contains("schedule"));
  }

  private Stream<String> notes(Workload workload, String vpp) throws IOException {
    return Exports.export(workload, directory, "vpp", vpp).losses().stream()
        .map(Diagnostic::toString);
  }

  private static Workload twoStages(Optional<PipelineSchedule> order) {
    RankClass[] classes = {
      Workloads.ranks(0, "0", new GraphBuilder().product("mb0.layers.0.mlp.up", 2)::build),
      Workloads.ranks(1, "1", new GraphBuilder().product("mb0.layers.1.mlp.up", 2)::build)
    };
    for (int i = 0; i < classes.length; i++) {
      RankClass plain = classes[i];
      classes[i] = order.map(plain::scheduled).orElse(plain);
    }
    return Workloads.of(Workloads.mesh("pp", 2), classes);
  }
}
