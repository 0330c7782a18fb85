package org.stage.backend.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.workload.Workload;
import org.stage.testkit.Corpus;
import org.stage.testkit.TestExport;

/** Ranks as PyTorch's profiler would have recorded them. */
class KinetoTest {
  @TempDir Path directory;

  @Test
  void kernelsRunAsSimulatedAfterTheirLaunches() throws IOException {
    export(Jobs.twoStages(), "0-1");
    List<JsonNode> kernels = of("kernel", profile(1));
    // a microsecond for the host's first launch; receives wait from the time when they are posted
    assertThat(kernels.stream().map(each -> each.path("ts") + "+" + each.path("dur")))
        .containsExactlyInAnyOrder("1.0+3.0", "4.0+3.0", "7.0+1.0", "8.0+3.0");
    List<JsonNode> launches = of("cuda_runtime", profile(1));
    for (int i = 0; i < 4; i++) {
      assertThat(launches.get(i).at("/args/correlation")).isEqualTo(correlation(kernels.get(i)));
      assertThat(launches.get(i).path("ts").asDouble())
          .isLessThan(kernels.get(i).path("ts").asDouble());
    }
    JsonNode step = of("user_annotation", profile(1)).get(0);
    assertThat(step.path("name").asText()).isEqualTo("ProfilerStep#0");
    assertThat(step.path("dur").asDouble()).isEqualTo(11);
  }

  @Test
  void eachRankThatIsShownHasAFileThatSaysItsRank() throws IOException {
    export(Jobs.twoWideStages(), "0,3");
    assertThat(directory.resolve("rank1.kineto.json")).doesNotExist();
    assertThat(profile(3).at("/distributedInfo/rank").asInt()).isEqualTo(3);
    assertThat(profile(0).at("/distributedInfo/world_size").asInt()).isEqualTo(4);
    assertThat(profile(0).at("/deviceProperties/0/name").asText()).isEqualTo("test");
  }

  @Test
  void operatorsHaveNamesSizesAndTypes() throws IOException {
    export(
        job(
            """
            0 compute a forward einsum shape=1x64x16x8 flops=16384 read=1024 written=2048
            1 compute b backward einsum shape=4x64x16x8 flops=65536 read=1024 written=2048
            2 compute c forward attention shape=2x64x32x16 flops=5 read=4 written=4
            3 compute d forward lookup read=524800 written=8192 in=4096x64xbf16,4x16xint64
            4 compute e optimizer adam in=100xfp32,100xfp32,100xfp32,100xfp32 out=100xfp32
            5 compute f backward add other=100 in=10x10xfp32,10x10xfp32 out=10x10xfp32
            6 compute g backward dropout_grad in=4x8xbf16,4x8xbool out=4x8xbf16
            7 compute h backward rms_norm_grad in=4x8xbf16,4x8xbf16,8xbf16 out=4x8xbf16,8xfp32
            8 compute i backward lookup_grad in=2x3x8xbf16,2x3xint64 out=99x8xfp32
            9 compute j optimizer square_sum in=100xfp32 out=1xfp32
            10 compute k backward einsum shape=1x8x16x64 read=3584 in=2x32x8xbf16,64x16xbf16 out=8x16xfp32
            11 compute l forward attention shape=4x64x32x16 in=2x64x2x16xbf16,2x32x1x16xbf16,2x32x1x16xbf16
            """),
        "0");
    assertThat(
            of("cpu_op", profile(0)).stream()
                .map(each -> each.path("name").asText() + each.at("/args/Input Dims")))
        .contains(
            "aten::mm[[64,8],[8,16]]",
            "aten::bmm[[4,64,8],[4,8,16]]",
            "aten::_scaled_dot_product_flash_attention[[1,2,64,16],[1,2,32,16],[1,2,32,16]]",
            // 64 indices, rows of 64, 4096 entries
            "aten::embedding[[4096,64],[64]]",
            "aten::_fused_adamw_[[100],[100],[100],[100]]",
            "aten::add[[100],[100]]",
            "stage::dropout_grad[[32],[32]]",
            "aten::_fused_rms_norm_backward[[32],[32]]",
            "aten::embedding_dense_backward[[6,8],[6]]",
            "stage::square_sum[[100]]",
            // 1,024 bytes of one factor, 2,048 of the other, and a gradient of 512 that grows
            "aten::addmm[[8,16],[8,64],[64,16]]",
            "aten::_scaled_dot_product_flash_attention[[2,2,64,16],[2,1,32,16],[2,1,32,16]]");
    assertThat(types("aten::mm")).isEqualTo("[\"c10::BFloat16\",\"c10::BFloat16\"]");
    assertThat(types("aten::addmm")).isEqualTo("[\"float\",\"c10::BFloat16\",\"c10::BFloat16\"]");
    assertThat(types("stage::dropout_grad")).isEqualTo("[\"c10::BFloat16\",\"bool\"]");
    assertThat(types("aten::add")).isEqualTo("[\"float\",\"float\"]");
    assertThat(of("cpu_op", profile(0)).stream().map(each -> each.path("name").asText()))
        .contains("autograd::engine::evaluate_function: StageBackward0")
        .contains("Optimizer.step#Stage.step");
  }

  @Test
  void eachOperatorIsCalledByAModuleOfTheSameNameInAllMicroBatches() throws IOException {
    export(
        job(
            """
            0 compute mb0.layers.1.up forward gelu in=8xbf16 out=8xbf16
            1 compute mb1.layers.1.up forward gelu in=8xbf16 out=8xbf16
            """),
        "0");
    assertThat(of("python_function", profile(0)).stream().map(each -> each.path("name").asText()))
        .containsExactly("nn.Module: layers.1.up", "nn.Module: layers.1.up");
  }

  @Test
  void communicationSaysWhatItMoves() throws IOException {
    export(job("0 all-gather g forward 1024xbf16 over tp:2\n"), "1");
    JsonNode kernel = of("kernel", profile(1)).get(0);
    assertThat(kernel.path("name").asText()).isEqualTo("ncclDevKernel_AllGather");
    assertThat(kernel.path("args").toString())
        .contains("\"Collective name\":\"_allgather_base\"")
        .contains("\"In msg nelems\":1024,\"Out msg nelems\":2048,\"Group size\":2")
        .contains("\"dtype\":\"BFloat16\"")
        .contains("\"Process Group Ranks\":\"[0, 1]\",\"Seq\":1");
  }

  @Test
  void withoutTheOptionThereIsNone() throws IOException {
    export(Jobs.twoStages(), "0-1", Map.of());
    assertThat(directory.resolve("rank0.kineto.json")).doesNotExist();
  }

  private String types(String name) throws IOException {
    return of("cpu_op", profile(0)).stream()
        .filter(each -> each.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow()
        .at("/args/Input type")
        .toString();
  }

  private static JsonNode correlation(JsonNode event) {
    return event.at("/args/correlation");
  }

  private static List<JsonNode> of(String category, JsonNode profile) {
    return StreamSupport.stream(profile.path("traceEvents").spliterator(), false)
        .filter(event -> event.path("cat").asText().equals(category))
        .toList();
  }

  private JsonNode profile(int rank) throws IOException {
    return new ObjectMapper()
        .readTree(Files.readString(directory.resolve("rank" + rank + ".kineto.json")));
  }

  private static Workload job(String nodes) {
    return Corpus.job("tp=2", "", nodes);
  }

  private void export(Workload workload, String ranks) throws IOException {
    export(workload, ranks, Map.of("kineto", "true"));
  }

  private void export(Workload workload, String ranks, Map<String, String> options)
      throws IOException {
    TestExport.of(new TimelineExporter()).options(options).ranks(ranks).run(workload, directory);
  }
}
