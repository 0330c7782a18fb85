package org.stage.plugin.kineto;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the bytes, the answer is a profile or a message that names the file, soon, and in a
 * memory that the size of the file bounds. In a plain build this reads the inputs that are known;
 * the profile {@code long} looks for others for half an hour, led by what they cover.
 */
class KinetoFuzzTest {
  /** What reading any file takes, and what a byte of it may. */
  private static final long FIXED_BYTES = 32L << 20;

  private static final long BYTES_PER_BYTE = 4_000;

  private static Path folder = Path.of("");

  @BeforeAll
  static void open() throws IOException {
    folder = Files.createTempDirectory("kineto-fuzz");
  }

  @AfterAll
  static void close() throws IOException {
    Files.deleteIfExists(folder.resolve("rank3.json"));
    Files.deleteIfExists(folder);
  }

  static Stream<byte[]> seeds() throws IOException {
    List<String> events = Events.products().subList(0, 10);
    List<byte[]> seeds =
        Arrays.stream(Events.Layout.values())
            .map(layout -> bytes(Events.document(layout, events)))
            .toList();
    return Stream.of(
            seeds.stream(),
            Stream.of(
                bytes("[" + Events.joined(Events.Layout.LINES, events)),
                bytes(Events.document(Events.Layout.LINES, rich())),
                DamageTest.gzip(bytes(Events.document(Events.Layout.DENSE, events.subList(0, 5))))))
        .flatMap(each -> each);
  }

  /** Communication, modules, phases, steps, and an operator of several kernels. */
  private static List<String> rich() {
    String moved =
        "\"Collective name\": \"_allgather_base\", \"In msg nelems\": 64, \"Out msg nelems\": 512,"
            + " \"Group size\": 8, \"dtype\": \"BFloat16\", \"Process Group Name\": \"0\","
            + " \"Process Group Ranks\": \"[0, 1, ...]\", \"Seq\": 7, \"Comms Id\": 18446744073709551615";
    return List.of(
        Events.annotation("ProfilerStep#3", 0, 900_000),
        Events.event(
            "python_function", "nn.Module: Linear_0", "1", "1", 1_000, 400_000, "\"Python id\": 1"),
        Events.op(
            "aten::addmm",
            2_000,
            90_000,
            "\"Sequence number\": 5, \"Record function id\": 9, \"Input Dims\": [[4], [2, 3], [3,"
                + " 4]], \"Input type\": [\"c10::Half\", \"c10::Half\", \"Scalar\"], \"Concrete"
                + " Inputs\": [\"\", \"True\"]"),
        Events.launch(1, 3_000),
        Events.launch(2, 6_000),
        Events.kernel("gemm", 20_000, 500, 1, "\"bytes\": 3"),
        Events.kernel("splitKreduce", 20_600, 500, 2, ""),
        Events.op("autograd::engine::evaluate_function: MmBackward0", 200_000, 90_000, "\"x\": 1"),
        Events.op("record_param_comms", 210_000, 5_000, moved),
        Events.launch(3, 211_000),
        Events.kernel("ncclDevKernel_AllGather_RING_LL(x)", 300_000, 9_000, 3, moved),
        Events.annotation("Optimizer.step#AdamW.step", 500_000, 9_000));
  }

  @MethodSource("seeds")
  @DictionaryEntries({
    "\"traceEvents\": [",
    "\"ph\": \"X\"",
    "\"args\": {",
    "\"ts\": ",
    "\"dur\": ",
    "\"correlation\": ",
    "\"Input Dims\": ",
    "\"Input dims\": ",
    "\"Sequence number\": ",
    "\"Group size\": ",
    "\"In msg size\": ",
    "\"Process Group Ranks\": ",
    "\"distributedInfo\": {\"rank\": ",
    "\"pg_config\": [{\"pg_name\": \"0\", \"ranks\": ",
    "\"baseTimeNanoseconds\": ",
    "\"deviceProperties\": [{\"name\": ",
    "kernel",
    "cpu_op",
    "cuda_runtime",
    "user_annotation",
    "gpu_memcpy",
    "aten::bmm",
    "aten::_scaled_dot_product_flash_attention",
    "9223372036854775807",
    "-9223372036854775808",
    "1e308",
    "nan",
    "\\u0000",
    "},{",
    "]}"
  })
  @FuzzTest(maxDuration = "30m")
  void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
    if (bytes == null) {
      return;
    }
    Path file = Files.write(folder.resolve("rank3.json"), bytes);
    long bound = FIXED_BYTES + BYTES_PER_BYTE * bytes.length;
    // The first time classes are loaded too; and what watches the reader takes memory on its
    // thread.
    if (TakenMemory.of(file) > bound) {
      long taken = TakenMemory.unwatched(file);
      if (taken > bound) {
        throw new AssertionError(taken + " bytes of memory for a file of " + bytes.length);
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
