package org.stage.plugin.kineto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.MatrixShape;
import org.stage.plugin.kineto.format.Sniffer;

/** What is said of a profile that lacks something is why it does. */
class ReasonsTest {
  @TempDir private Path folder;

  @Test
  void aJobOfOneRankHasLostNoCommunication() throws IOException {
    List<String> events = new ArrayList<>(Events.products());
    events.add(Events.op("c10d::allreduce_", 10_000, 100, "\"x\": 1"));
    assertThat(notes(document(events, "{\"rank\": 0, \"world_size\": 1}"))).doesNotContain("lost");
    assertThat(notes(document(events, "{\"rank\": 0, \"world_size\": 2}")))
        .contains("The profiler has lost them");
  }

  @Test
  void kernelsOfGraphsHaveNoOperatorsWhateverIsRecorded() throws IOException {
    List<String> events = new ArrayList<>();
    events.add(
        Events.event("cuda_runtime", "cudaGraphLaunch", "1", "1", 1_000, 10, "\"correlation\": 5"));
    events.add(Events.kernel("nvjet_hsh_0", 20_000, 8_000, 5, "\"graph node id\": 77"));
    events.add(Events.kernel("nvjet_hsh_1", 30_000, 8_000, 5, "\"graph node id\": 78"));
    assertThat(notes(document(events, "{\"rank\": 0}")))
        .contains("2 of 2 matrix products are of unknown shape")
        .contains("2 kernels were launched by graphs")
        .doesNotContain("record_shapes");
  }

  @Test
  void eventsThatBeginAndEndApartAreNamed() throws IOException {
    String begin =
        Events.kernel("gemm", 1_000, 10, 5, "").replace("\"ph\": \"X\"", "\"ph\": \"B\"");
    String end = Events.kernel("gemm", 2_000, 10, 5, "").replace("\"ph\": \"X\"", "\"ph\": \"E\"");
    assertThat(notes(document(List.of(begin, end), "{\"rank\": 0}")))
        .contains("1 events say where they begin and end apart (ph B and E)")
        .doesNotContain("ProfilerActivity");
  }

  @Test
  void whatIsSaidTwiceIsNoted() throws IOException {
    String twice = document(Events.products(), "{\"rank\": 1}, \"distributedInfo\": {\"rank\": 2}");
    Imported imported = Imports.read(write("twice.json", twice));
    assertThat(imported.profile().rank()).hasValue(2);
    assertThat(text(imported)).contains("says more than once: distributedInfo");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "null"})
  void aProductWhoseKernelHasNoTimeIsNoRun(String time) throws IOException {
    List<String> events = new ArrayList<>();
    for (String each : Events.products()) {
      events.add(each.replace("\"ts\": 1020.000", "\"ts\": " + time));
    }
    Imported imported = Imports.read(write("nan.json", document(events, "{\"rank\": 0}")));
    MeasuredOperator product =
        imported.profile().operators().stream()
            .filter(each -> each.kind() == Kind.GEMM)
            .findFirst()
            .orElseThrow();
    assertThat(product.runs().size()).isEqualTo(9);
    assertThat(product.untimed()).isZero();
    assertThat(imported.profile().coverage().rejected()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "aten::linear | [[2, 1024, 512], [2048, 512], []] | 1,2048,2048,512",
        "aten::matmul | [[2, 1024, 512], [512, 2048]] | 1,2048,2048,512",
        "aten::matmul | [[2, 4, 16, 8], [2, 4, 8, 32]] | 8,16,32,8",
        "aten::_addmm_activation | [[2048], [1024, 512], [512, 2048]] | 1,1024,2048,512",
        "aten::einsum | [[], [[8, 16, 32], [8, 32, 64]], []] | 8,16,64,32",
        "aten::_grouped_mm | [[4096, 2048], [8, 2048, 1408], [8]] | 8,512,1408,2048",
        "aten::_grouped_mm | [[2048, 4096], [4096, 1408], [8]] | 8,2048,1408,512",
        "aten::_scaled_grouped_mm | [[4096, 2048], [8, 2048, 1408], [4096], [8, 1408], [8]]"
            + " | 8,512,1408,2048",
        "aten::baddbmm | [[4, 16, 32], [4, 16, 8], [4, 8, 32]] | 4,16,32,8",
      })
  void theShapeOfAProductIsReadWhereverItsOperatorHasIt(String name, String dims, String shape)
      throws IOException {
    List<String> events =
        List.of(
            Events.op(name, 1_000, 20_000, "\"Input Dims\": " + dims),
            Events.launch(7, 5_000),
            Events.kernel("sm90_gemm", 30_000, 9_000, 7, ""));
    Imported imported = Imports.read(write("p.json", document(events, "{\"rank\": 0}")));
    String[] sizes = shape.split(",");
    assertThat(imported.profile().operators()).hasSize(1);
    assertThat(imported.profile().operators().get(0).kind()).isEqualTo(Kind.GEMM);
    assertThat(imported.profile().operators().get(0).shape().matrix())
        .isEqualTo(
            new MatrixShape(
                Long.parseLong(sizes[0]),
                Long.parseLong(sizes[1]),
                Long.parseLong(sizes[2]),
                Long.parseLong(sizes[3])));
  }

  @Test
  void aLinearLayerThatCallsAProductIsThatProductOnce() throws IOException {
    List<String> events =
        List.of(
            Events.op("aten::linear", 1_000, 30_000, "\"Input Dims\": [[4, 8], [16, 8]]"),
            Events.op("aten::mm", 2_000, 20_000, "\"Input Dims\": [[4, 8], [8, 16]]"),
            Events.launch(7, 5_000),
            Events.kernel("sm90_gemm", 40_000, 9_000, 7, ""));
    Imported imported = Imports.read(write("p.json", document(events, "{\"rank\": 0}")));
    assertThat(imported.profile().operators()).hasSize(1);
    assertThat(imported.profile().operators().get(0).name()).isEqualTo("aten::mm");
    assertThat(imported.profile().operators().get(0).count()).isEqualTo(1);
  }

  @Test
  void aPerfettoTraceAndOtherCompressionsAreRefusedByName() throws IOException {
    refused("trace.pftrace", new byte[] {0x0A, 0x12, 0x08, 1, 2, 3}, "Perfetto");
    refused("a.json.zst", new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 4, 0}, "zstd");
    refused("a.json", new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 4, 0}, "zstd");
    refused("a.json.xz", new byte[] {(byte) 0xFD, '7', 'z', 'X', 'Z', 0}, "xz");
  }

  private void refused(String name, byte[] bytes, String word) throws IOException {
    Path file = Files.write(folder.resolve(name), bytes);
    assertThat(Sniffer.looksLikeTrace(file)).isTrue();
    assertThatThrownBy(() -> Imports.read(file))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(word);
  }

  @Test
  void anEmptyObjectHoldsNoEvents() throws IOException {
    Path file = write("empty.json", "{}\n");
    assertThat(Sniffer.looksLikeTrace(file)).isTrue();
    assertThatThrownBy(() -> Imports.read(file))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("holds no traceEvents");
  }

  private static String document(List<String> events, String distributed) {
    return "{\"traceEvents\": ["
        + String.join(",", events)
        + "], \"distributedInfo\": "
        + distributed
        + "}";
  }

  private String notes(String document) throws IOException {
    return text(Imports.read(write("rank0.json", document)));
  }

  private static String text(Imported imported) {
    return imported.notes().stream()
        .map(each -> each.message() + " " + each.remedy())
        .collect(Collectors.joining("\n"));
  }

  private Path write(String name, String text) throws IOException {
    return Files.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8));
  }
}
