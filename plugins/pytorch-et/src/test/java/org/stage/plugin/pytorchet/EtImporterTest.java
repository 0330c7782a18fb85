package org.stage.plugin.pytorchet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;

class EtImporterTest {
  static final String FLAT =
      """
      {"schema": "1.0.1", "pid": 4711, "time": "then", "start_ts": 1, "nodes": [
        {"name": "[pytorch|profiler|execution_graph|thread]", "id": 2, "rf_id": 0, "parent": 1,
         "tid": 1, "inputs": [], "input_shapes": [], "input_types": []},
        {"name": "aten::mm", "id": 4, "rf_id": 12, "parent": 3, "tid": 1,
         "inputs": [[5,6,0,128,4,"cuda:0"],[7,8,0,512,4,"cuda:0"]],
         "input_shapes": [[8,16],[16,32]], "input_types": ["Tensor(float)","Tensor(float)"]},
        {"name": "aten::linear", "id": 3, "rf_id": 11, "parent": 2, "tid": 1,
         "inputs": [], "input_shapes": [], "input_types": []}
      ], "finish_ts": 2}
      """;
  static final String NESTED =
      """
      {"schema": "9.9.9", "pid": 4711, "nodes": [
        {"id": 4, "name": "aten::mm", "ctrl_deps": 77, "inputs": {"values": [],
         "shapes": [[8, 16], [16, 32]], "types": ["Tensor(c10::BFloat16)", "Tensor(c10::BFloat16)"]},
         "outputs": {}, "attrs": [{"name": "rf_id", "type": "uint64", "value": 12},
         {"name": "tid", "type": "uint64", "value": 1}]}
      ]}
      """;
  static final String PROFILE =
      """
      {"traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 4711, "tid": 9, "ts": 10,
         "dur": 50, "args": {"Record function id": 11}},
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 4711, "tid": 9, "ts": 20, "dur": 30,
         "args": {"Record function id": 12}},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 4711, "tid": 9,
         "ts": 25, "dur": 5, "args": {"correlation": 1}},
        {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 40, "dur": 12,
         "args": {"correlation": 1}}
      ]}
      """;

  /** A collective with its own attributes, and one of an older schema that has inputs only. */
  static final String COMMUNICATION =
      """
      {"schema": "1.1.1-chakra.0.0.4", "pid": 4711, "nodes": [
        {"id": 5, "name": "record_param_comms", "ctrl_deps": 1, "inputs": {"values": [],
         "shapes": [], "types": []}, "attrs": [{"name": "collective_name", "value": "allreduce"},
         {"name": "in_msg_nelems", "value": 64}, {"name": "pg_size", "value": 8},
         {"name": "dtype", "value": "Float"}, {"name": "pg_name", "value": "0"},
         {"name": "rf_id", "value": 7}, {"name": "tid", "value": 1}]},
        {"id": 6, "name": "record_param_comms", "parent": 5, "tid": 1,
         "inputs": [[7, 8, 0, 512, 4, "cuda:0"], "allreduce"],
         "input_shapes": [[512], []], "input_types": ["Tensor(float)", "String"]}
      ]}
      """;

  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static MeasuredOperator product(Profile profile) {
    assertThat(profile.operators()).hasSize(1);
    MeasuredOperator product = profile.operators().get(0);
    assertThat(product.shape().matrix()).isEqualTo(new MatrixShape(1, 8, 32, 16));
    return product;
  }

  @Test
  void shapesStandWithoutTimes() throws IOException {
    Imported imported = Imports.read(file("et.json", FLAT));

    MeasuredOperator product = product(imported.profile());
    assertThat(List.of(product.untimed(), (long) product.runs().size())).containsExactly(1L, 0L);
    assertThat(product.dataType()).isEqualTo("fp32");
    assertThat(imported.notes().toString()).contains("no times");
  }

  @Test
  void anUnknownSchemaIsReadByItsShape() throws IOException {
    Imported imported = Imports.read(file("et.json", NESTED));

    assertThat(product(imported.profile()).dataType()).isEqualTo("bf16");
    assertThat(imported.notes().toString()).contains("is of a schema that this version does not");
  }

  @Test
  void aProfileOfTheSameProcessGetsTheShapes() throws IOException {
    Imported imported = Imports.read(file("et.json", FLAT), file("profile.json", PROFILE));

    MeasuredOperator product = product(imported.profile());
    assertThat(product.runs().totalNs()).isEqualTo(12_000);
    assertThat(imported.notes().toString()).contains("2 of its 3 calls").contains("by the numbers");
  }

  @Test
  void numbersOfAnotherRunAreNotBelieved() throws IOException {
    Path profile =
        file(
            "profile.json",
            PROFILE.replace("id\": 11", "id\": 99").replace("id\": 12", "id\": 11"));

    Imported imported = Imports.read(file("et.json", FLAT), profile);

    assertThat(product(imported.profile()).runs().size()).isEqualTo(1);
    assertThat(imported.notes().toString()).contains("by the order of their names");
  }

  @Test
  void aProfileOfAnotherProcessIsLeftAlone() throws IOException {
    Path profile = file("profile.json", PROFILE.replace("4711", "47110"));

    assertThat(Imports.read(file("et.json", FLAT), profile).profile().coverage().kernels().count())
        .isZero();
  }

  @Test
  void aTraceMayEndAnywhere() throws IOException {
    for (int cut = FLAT.indexOf('[') + 1; cut < FLAT.length() - 3; cut += 3) {
      Path file = file("et.json", FLAT.substring(0, cut));

      assertThat(Imports.read(file).profile().coverage().contents().truncated()).isTrue();
    }
  }

  @Test
  void mutantsAreReadOrRefused() throws IOException {
    Random random = new Random(1);
    for (int round = 0; round < 400; round++) {
      StringBuilder text = new StringBuilder(round % 2 == 0 ? FLAT : NESTED);
      for (int edits = 0; edits < 4; edits++) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.setCharAt(at, (char) random.nextInt(128));
          case 1 -> text.delete(at, Math.min(text.length(), at + random.nextInt(20)));
          default -> text.insert(at, List.of("\"", "[", "{", "}", "9", "null").get(edits));
        }
      }
      Path file = file("et.json", text.toString());
      try {
        Imports.read(file);
      } catch (InputException e) {
        assertThat(e.getMessage()).startsWith(file.toString()).hasSizeLessThan(1_000);
      }
    }
  }

  @Test
  void whatHasNoNodesIsRefused() throws IOException {
    Path file = file("et.json", "{\"schema\": \"1.0.1\"}");

    assertThatThrownBy(() -> Imports.read(file))
        .isExactlyInstanceOf(InputException.class)
        .hasMessageContaining("holds no nodes");
  }
}
