package org.stage.backend.simai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.ExportReport;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.api.workload.Workload;

final class SimaiExporterTest {
  private static final Mesh TP4_DP2 = Workloads.mesh("tp", 4, "dp", 2);

  @TempDir Path directory;

  @Test
  void withoutHardwareItRefusesUnlessAskedForUnitTimes() throws IOException {
    Workload workload =
        Workloads.of(
            TP4_DP2,
            Optional.empty(),
            List.of(),
            Workloads.ranks(0, "0-7", Workloads.attention()::build));
    assertThatThrownBy(() -> Exports.export(workload, directory))
        .isInstanceOf(InputException.class)
        .hasMessage(
            "hardware: is not given, so it is not known how long"
                + " mb0.layers.0.attention_norm.norm takes. Name the hardware, or set the option"
                + " compute_times to unit for 1 ns each.");
    assertThat(Exports.rows(workload, directory, "compute_times", "unit").get(4))
        .isEqualTo("attention_column -1 1 ALLGATHER 2048 1 REDUCESCATTER 2048 1 NONE 0 100");
    assertThat(notes(workload, "compute_times", "unit"))
        .anyMatch(note -> note.startsWith("compute times are 1 ns an entry"));
  }

  @Test
  void hardwareWithoutThePeakOfTheTypeIsRefused() {
    Workload workload =
        Workloads.of(
            TP4_DP2,
            Optional.of(new Hardware("old", Map.of("fp32", 10.0), 16, 900)),
            List.of(),
            Workloads.ranks(0, "0-7", Workloads.attention()::build));
    assertThatThrownBy(() -> Exports.export(workload, directory))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("hardware: has no peak for bf16");
  }

  @Test
  void theHeaviestStageIsWrittenUnlessAnotherIsAskedFor() throws IOException {
    Workload workload = threeStages();
    assertThat(Exports.rows(workload, directory).get(0)).startsWith("mlp_layer -1 30 ");
    assertThat(Exports.rows(workload, directory, "stage", "first").get(0)).contains(" -1 20 ");
    assertThat(Exports.rows(workload, directory, "stage", "last").get(0)).contains(" -1 10 ");
    assertThat(notes(workload))
        .anyMatch(note -> note.startsWith("stages are uneven (0.000 to 0.000 ms"))
        .anyMatch(note -> note.startsWith("the file has the rows of stage 1 of 3"));
  }

  @Test
  void allStagesHaveAFileEach() throws IOException {
    List<String> notes = notes(threeStages(), "stage", "all");
    assertThat(Exports.rows(directory.resolve("w-stage0.txt")).get(0)).contains(" -1 20 ");
    assertThat(Exports.rows(directory.resolve("w-stage1.txt")).get(0)).contains(" -1 30 ");
    assertThat(Exports.rows(directory.resolve("w-stage2.txt")).get(0)).contains(" -1 10 ");
    assertThat(directory.resolve("w.txt")).doesNotExist();
    assertThat(notes).anyMatch(note -> note.contains("the longest of their total times"));
    assertThat(Files.readAllLines(directory.resolve("run.sh")))
        .filteredOn(line -> line.startsWith("./bin/SimAI_analytical"))
        .hasSize(3);
  }

  @Test
  void theScriptHasTheMeshAndTheNetworkInUnitsOf2To30() throws IOException {
    Workload workload =
        Workloads.of(
            TP4_DP2,
            Optional.of(Workloads.HARDWARE),
            List.of(
                new NetworkDimension(Topology.SWITCH, 4, 450, 500),
                new NetworkDimension(Topology.SWITCH, 2, 50, 1000)),
            Workloads.ranks(0, "0-7", Workloads.attention()::build));
    Exports.export(workload, directory);
    assertThat(Files.readString(directory.resolve("run.sh")))
        .contains(
            "./bin/SimAI_analytical -w \"$here/w.txt\" -g 8 -g_p_s 4 -n_p_s 4 -nv 419.095"
                + " -nic 46.566 -r w- \"$@\"\n");
    Exports.export(workload, directory, "gpus_per_server", "8");
    assertThat(Files.readString(directory.resolve("run.sh"))).contains("-g_p_s 8 -n_p_s 8 ");
  }

  @Test
  void serversThatTensorParallelismDoesNotFitAreDeclared() throws IOException {
    Workload workload = Workloads.single(TP4_DP2, Workloads.attention());
    assertThat(notes(workload, "gpus_per_server", "6"))
        .anyMatch(note -> note.startsWith("servers of 6 devices do not fit"))
        .anyMatch(note -> note.startsWith("no network is given"));
  }

  @Test
  void aNumberOutOfRangeIsRefused() {
    Workload workload = Workloads.single(TP4_DP2, Workloads.attention());
    assertThatThrownBy(() -> Exports.export(workload, directory, "vpp", "-1"))
        .isInstanceOf(InputException.class)
        .hasMessage("vpp: -1 is not in 0 to 1048576. Give a number of that range.");
  }

  @Test
  void theNameOfTheJobDoesNotReachTheShell() throws IOException {
    Workload plain = Workloads.single(TP4_DP2, Workloads.attention());
    Workload named =
        new Workload(
            "a job; \"rm\"",
            "tiny",
            plain.mesh(),
            plain.precision(),
            plain.hardware(),
            plain.network(),
            plain.classes());
    Exports.export(named, directory);
    assertThat(directory.resolve("a_job___rm_.txt")).exists();
    assertThat(Files.readString(directory.resolve("run.sh"))).doesNotContain("a job");
  }

  @Test
  void twoExportsAreTheSameBytes(@TempDir Path other) throws IOException {
    Workload workload = threeStages();
    Exports.export(workload, directory, "stage", "all");
    Exports.export(workload, other, "stage", "all");
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        assertThat(other.resolve(file.getFileName().toString())).hasSameBinaryContentAs(file);
      }
    }
  }

  private List<String> notes(Workload workload, String... options) throws IOException {
    ExportReport report = Exports.export(workload, directory, options);
    return Stream.concat(report.losses().stream(), report.notes().stream())
        .map(Diagnostic::toString)
        .toList();
  }

  private static Workload threeStages() {
    return Workloads.of(
        Workloads.mesh("pp", 3),
        Workloads.ranks(0, "0", new GraphBuilder().product("mb0.layers.0.mlp.up", 20)::build),
        Workloads.ranks(1, "1", new GraphBuilder().product("mb0.layers.1.mlp.up", 30)::build),
        Workloads.ranks(2, "2", new GraphBuilder().product("mb0.layers.2.mlp.up", 10)::build));
  }
}
