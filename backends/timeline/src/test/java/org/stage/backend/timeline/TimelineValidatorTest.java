package org.stage.backend.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator.Validation;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;

final class TimelineValidatorTest {
  private static final String SLICE =
      "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"name\":\"a\",\"ts\":0.000,\"dur\":2.500}";

  @TempDir Path directory;

  static Iterable<String> workloads() {
    return Corpus.names().stream()
        .filter(name -> new TimelineExporter().capabilities().missing(Corpus.get(name)).isEmpty())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void whatIsExportedHasNoFault(String name) throws IOException {
    TestExport.of(new TimelineExporter()).run(Corpus.get(name), directory);
    TestExport.of(new TimelineExporter())
        .option("gzip", "true")
        .option("streams", "per-group")
        .run(Corpus.get(name), directory);
    Validation validation = new TimelineValidator().validate(directory, Progress.NONE);
    assertThat(validation.diagnostics()).isEmpty();
    assertThat(validation.summary()).matches("[\\d,]+ ranks shown, [\\d,]+ slices");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "[]|there is no list traceEvents",
        "{\"traceEvents\":7}|there is no list traceEvents",
        "{\"traceEvents\":[]}|there is no slice",
        "{\"traceEvents\":[7]}|an event is no object",
        "{\"traceEvents\":[{\"ph\":\"Q\"}]}|an event is of the unknown kind 'Q'",
        "{\"traceEvents\":[{\"ph\":\"X\",\"pid\":0,\"name\":\"a\"}]}|lacks its pid, tid or name",
        "{\"traceEvents\":[{\"ph\":\"X\",\"pid\":0,\"tid\":0,\"name\":\"a\",\"ts\":-1}]}|'a' lacks its time ts",
        "{\"traceEvents\":[{\"ph\":\"X\",\"pid\":0,\"tid\":0,\"name\":\"a\",\"ts\":1}]}|lacks its duration dur",
        "{\"traceEvents\":[{\"ph\":\"s\",\"pid\":0,\"tid\":0,\"name\":\"a\",\"ts\":1}]}|an arrow lacks its id",
        "{\"traceEvents\":[{\"ph\":\"s\",\"pid\":0,\"tid\":0,\"name\":\"a\",\"ts\":1,\"id\":3}]}|1 arrows have one end",
        "{\"traceEvents\":[{\"ph\":\"X\"|is no JSON"
      })
  void whatAViewerWouldNotTakeIsAFault(String text, String fault) throws IOException {
    Files.writeString(directory.resolve("timeline.json"), text);
    assertThat(new TimelineValidator().validate(directory, Progress.NONE).diagnostics())
        .extracting(Diagnostic::message)
        .anyMatch(message -> message.contains(fault));
  }

  @Test
  void slicesOfOneTrackThatOverlapAreAFaultAtTheirLine() throws IOException {
    Files.writeString(
        directory.resolve("timeline.json"),
        "{\"traceEvents\":[\n"
            + SLICE
            + ",\n"
            + SLICE.replace("\"ts\":0.000", "\"ts\":2.000")
            + ",\n"
            + SLICE.replace("\"tid\":1", "\"tid\":2")
            + "\n]}\n");
    assertThat(new TimelineValidator().validate(directory, Progress.NONE).diagnostics())
        .extracting(Diagnostic::toString)
        .containsExactly(
            directory.resolve("timeline.json")
                + ", line 3: 'a' begins before the one in front of it on its track ends."
                + " Write the timeline anew.");
  }

  @Test
  void compressedDataThatIsCutShortIsAFault() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(
          ("{\"traceEvents\":[" + SLICE + "]}").getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    byte[] bytes = packed.toByteArray();
    Files.write(directory.resolve("timeline.json.gz"), Arrays.copyOf(bytes, bytes.length - 9));
    assertThat(new TimelineValidator().validate(directory, Progress.NONE).diagnostics())
        .extracting(Diagnostic::message)
        .contains("the compressed data is damaged or cut short");
  }

  @Test
  void aFolderWithoutATimelineIsNotTaken() throws IOException {
    assertThat(new TimelineValidator().accepts(directory)).isFalse();
    assertThat(new TimelineValidator().validate(directory, Progress.NONE).diagnostics())
        .extracting(Diagnostic::message)
        .containsExactly("there is no timeline.json");
  }
}
