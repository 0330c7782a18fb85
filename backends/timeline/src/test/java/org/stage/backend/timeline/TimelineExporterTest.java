package org.stage.backend.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.Workload;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;

class TimelineExporterTest {
  @TempDir Path directory;

  @Test
  void eachStreamOfARankIsATrack() throws IOException {
    export(Jobs.twoStages(), Map.of());
    TraceEvents events = events();
    assertThat(events.slices(0, 0)).containsExactly("a0 0.0+2.0", "a1 2.0+2.0");
    assertThat(events.slices(0, 1)).containsExactly("s0 2.0+1.0", "s1 6.0+1.0");
    assertThat(events.slices(1, 0)).containsExactly("b0 3.0+3.0", "b1 7.0+3.0");
    assertThat(events.slices(1, 1)).containsExactly("r0 2.0+1.0", "r1 6.0+1.0");
    assertThat(events.names("process_name"))
        .isEqualTo(Map.of("0.0", "rank 0 (stage 0)", "1.0", "rank 1 (stage 1)"));
    assertThat(events.names("thread_name"))
        .isEqualTo(
            Map.of(
                "0.0", "compute",
                "0.1", "send to pp:+1",
                "1.0", "compute",
                "1.1", "receive from pp:-1"));
  }

  @Test
  void anArrowGoesFromEachSendToItsReceive() throws IOException {
    export(Jobs.twoStages(), Map.of());
    assertThat(events().of("s").stream().map(event -> event.path("ts").asText()))
        .containsExactly("2.0", "6.0");
    assertThat(events().of("f").stream().map(event -> event.path("ts").asText()))
        .containsExactly("2.999", "6.999");
  }

  @Test
  void arrowsCanBeLeftOut() throws IOException {
    export(Jobs.twoStages(), Map.of("arrows", "false"));
    assertThat(events().of("s")).isEmpty();
    assertThat(events().of("f")).isEmpty();
  }

  @Test
  void anArrowWhoseOtherEndIsNotShownIsNot() throws IOException {
    export(Jobs.twoStages(), Map.of(), "1");
    assertThat(events().of("f")).isEmpty();
    assertThat(events().slices(1, 0)).containsExactly("b0 3.0+3.0", "b1 7.0+3.0");
    assertThat(events().slices(0, 0)).isEmpty();
  }

  @Test
  void ofRanksThatRunAlikeTheFirstIsShown() throws IOException {
    ExportReport report = export(Jobs.twoWideStages(), Map.of());
    assertThat(events().names("process_name")).containsOnlyKeys("0.0", "2.0");
    assertThat(report.nodes()).isEqualTo(8);
    assertThat(report.notes())
        .extracting(Diagnostic::message)
        .contains("of ranks that run alike, the timeline shows the first: 0,2");
  }

  @Test
  void ranksThatAreNamedAreShown() throws IOException {
    export(Jobs.twoWideStages(), Map.of(), "0-1,3");
    assertThat(events().names("process_name")).containsOnlyKeys("0.0", "1.0", "3.0");
    assertThat(events().slices(1, 0)).isEqualTo(events().slices(0, 0));
    assertThat(events().of("s")).hasSize(2);
  }

  @Test
  void everyRankIsShownOnRequest() throws IOException {
    export(Jobs.twoWideStages(), Map.of("every-rank", "true"));
    assertThat(events().names("process_name")).hasSize(4);
    assertThat(events().of("s")).hasSize(4);
  }

  @Test
  void theReportSaysHowLongTheStepTakesAndHowMuchOfItEachStageIdles() throws IOException {
    ExportReport report = export(Jobs.twoStages(), Map.of());
    assertThat(report.notes())
        .extracting(Diagnostic::message)
        .containsExactly(
            "a step takes 10.000 us",
            "the share of the step in which no kernel runs: stage 0 60.00 %, stage 1 40.00 %");
  }

  @Test
  void soDoesTheSummary() throws IOException {
    export(Jobs.twoStages(), Map.of());
    JsonNode summary =
        new ObjectMapper().readTree(directory.resolve("timeline.summary.json").toFile());
    assertThat(summary.path("step_us").asDouble()).isEqualTo(10);
    assertThat(summary.path("durations").asText()).isEqualTo("roofline");
    JsonNode first = summary.path("stages").path(0);
    assertThat(first.path("ranks").asText()).isEqualTo("0");
    assertThat(first.path("compute_us").asDouble()).isEqualTo(4);
    assertThat(first.path("communication_us").asDouble()).isEqualTo(2);
    // the first message runs beside the second kernel
    assertThat(first.path("overlapped_us").asDouble()).isEqualTo(1);
    assertThat(first.path("idle_share").asDouble()).isEqualTo(0.6);
    assertThat(summary.path("stages").path(1).path("idle_share").asDouble()).isEqualTo(0.4);
  }

  @Test
  void unitDurationsWithFreeCommunicationShowTheBubbleAlone() throws IOException {
    export(Jobs.twoStages(), Map.of("durations", "unit", "communication", "free"));
    JsonNode summary =
        new ObjectMapper().readTree(directory.resolve("timeline.summary.json").toFile());
    for (JsonNode stage : summary.path("stages")) {
      assertThat(stage.path("idle_share").asText()).isEqualTo("0.333333");
    }
    assertThat(summary.path("step_us").asDouble()).isEqualTo(3);
    assertThat(events().of("s")).hasSize(2);
  }

  @Test
  void argumentsSayWhatANodeDoes() throws IOException {
    export(
        job(
            """
            0 compute mm forward einsum shape=1x64x16x8 flops=16384 other=3 read=1024 written=2048
            1 all-reduce sum backward 1024xbf16 over tp:2 deps=0
            """),
        Map.of());
    List<JsonNode> slices = events().of("X");
    assertThat(slices.get(0).path("args"))
        .hasToString(
            "{\"phase\":\"forward\",\"operator\":\"einsum\",\"shape\":\"1x64x16x8\",\"flops\":16384,"
                + "\"other_flops\":3,\"bytes_read\":1024,\"bytes_written\":2048}");
    assertThat(slices.get(1).path("args"))
        .hasToString(
            "{\"phase\":\"backward\",\"kind\":\"all-reduce\",\"group\":\"tp\",\"members\":2,"
                + "\"bytes\":2048,\"type\":\"bf16\"}");
    assertThat(slices.get(0).path("cat").asText()).isEqualTo("forward");
  }

  @Test
  void groupsHaveStreamsOfTheirOwnUnlessThereIsOneForAll() throws IOException {
    Workload job = job("0 all-reduce sum backward 1024xbf16 over tp:2\n");
    export(job, Map.of());
    assertThat(events().names("thread_name"))
        .isEqualTo(Map.of("0.0", "compute", "0.1", "communication tp"));
    export(job, Map.of("streams", "one"));
    assertThat(events().names("thread_name"))
        .isEqualTo(Map.of("0.0", "compute", "0.1", "communication"));
  }

  @Test
  void withoutHardwareAndNetworkTheReportSaysWhatIsAssumed() throws IOException {
    ExportReport report = export(job("0 compute k forward add other=5\n"), Map.of());
    assertThat(report.notes())
        .extracting(Diagnostic::message)
        .contains(
            "no peak at bf16 is known of the device: each kernel takes 1 us",
            "no network is given: the timeline assumes one switch of 50 GB/s and 500 ns");
    assertThat(events().slices(0, 0)).containsExactly("k 0.0+1.0");
  }

  @Test
  void whereAllIsMeasuredTheReportAssumesNothing() throws IOException {
    ExportReport report =
        export(
            job(
                """
                0 compute k forward add other=5 duration=7000
                1 all-reduce sum backward 1024xbf16 over tp:2 deps=0 duration=9000
                """),
            Map.of());
    assertThat(report.notes())
        .extracting(Diagnostic::message)
        .isNotEmpty()
        .noneMatch(each -> each.contains("no peak") || each.contains("assumes"));
    assertThat(events().slices(0, 0)).containsExactly("k 0.0+7.0");
  }

  @Test
  void namesOfAnyCharactersAreKept() throws IOException {
    String name = "a \\\"quoted\\\" \\\\ name <&> \u00e9\u4e2d";
    Workload job = job("0 compute \"" + name + "\" forward add other=5\n");
    export(job, Map.of());
    String read = job.classes().get(0).graph().nodes().get(0).name();
    assertThat(read).contains("\"", "\\", "\u4e2d");
    assertThat(events().of("X").get(0).path("name").asText()).isEqualTo(read);
  }

  @Test
  void aCompressedTimelineHoldsTheSame() throws IOException {
    export(Jobs.twoStages(), Map.of());
    List<String> plain = events().slices(1, 0);
    export(Jobs.twoStages(), Map.of("gzip", "true"));
    assertThat(TraceEvents.read(directory.resolve("timeline.json.gz")).slices(1, 0))
        .isEqualTo(plain);
  }

  @Test
  void theSameJobGivesTheSameBytes() throws IOException {
    export(Jobs.twoWideStages(), Map.of());
    byte[] first = Files.readAllBytes(directory.resolve("timeline.json"));
    export(Jobs.twoWideStages(), Map.of());
    assertThat(Files.readAllBytes(directory.resolve("timeline.json"))).isEqualTo(first);
  }

  @Test
  void eachEventHasALine() throws IOException {
    export(Jobs.twoStages(), Map.of());
    List<String> lines = Files.readAllLines(directory.resolve("timeline.json"));
    assertThat(lines.get(0)).isEqualTo("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    assertThat(lines)
        .contains(
            "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"name\":\"s0\",\"cat\":\"message\",\"ts\":2.000,"
                + "\"dur\":1.000,\"args\":{\"phase\":\"forward\",\"to\":\"pp:+1\",\"tag\":0,"
                + "\"bytes\":900,\"type\":\"bf16\"}},");
  }

  /** The receive that comes first in the graph waits for the message that is sent last. */
  @Test
  void messagesOfAPeerStandInTheOrderInWhichTheyCome() throws IOException {
    export(
        Jobs.twoStages(
            "0 recv r1 forward 450xbf16 from pp:-1 tag=1",
            "2 recv r0 forward 450xbf16 from pp:-1 tag=0"),
        Map.of());
    assertThat(events().slices(1, 1)).containsExactly("r0 2.0+1.0", "r1 4.0+1.0");
  }

  private static Workload job(String nodes) {
    return Corpus.job("tp=2", "", nodes);
  }

  private TraceEvents events() throws IOException {
    return TraceEvents.read(directory.resolve("timeline.json"));
  }

  private ExportReport export(Workload workload, Map<String, String> options) throws IOException {
    return export(workload, options, "");
  }

  private ExportReport export(Workload workload, Map<String, String> options, String ranks)
      throws IOException {
    return TestExport.of(new TimelineExporter())
        .options(options)
        .ranks(ranks)
        .run(workload, directory);
  }
}
