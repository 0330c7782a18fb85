package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.api.plugin.RunContext;
import org.stage.api.plugin.WorkloadImporter;
import org.stage.api.plugin.WorkloadImporter.Imported;
import org.stage.api.text.ExecutionText;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/**
 * What every importer of traces promises. A plugin's test extends this class, says which importer
 * it is about, and writes the traces of a small job; what the format itself demands, the plugin
 * tests besides.
 *
 * <pre>{@code
 * class MyImporterContractTest extends WorkloadImporterContract {
 *   protected WorkloadImporter importer() {
 *     return new MyImporter();
 *   }
 *
 *   protected Path writeSample(Path folder) throws IOException {
 *     Files.writeString(folder.resolve("rank0.txt"), "compute 1200\n");
 *     return Files.writeString(folder.resolve("rank1.txt"), "compute 1200\n");
 *   }
 * }
 * }</pre>
 */
public abstract class WorkloadImporterContract extends ImportRunContract<WorkloadImporter> {
  /** A new object of the importer under test. */
  protected abstract WorkloadImporter importer();

  @Override
  final WorkloadImporter plugin() {
    return importer();
  }

  @Override
  final Path input(Path file) {
    return file.resolveSibling("");
  }

  @Override
  final boolean accepts(WorkloadImporter importer, Path input) throws IOException {
    return importer.accepts(input);
  }

  /** Reads a job whole: damage may show when a graph is built. */
  @Override
  final List<Object> read(WorkloadImporter importer, Path input, RunContext context)
      throws IOException {
    Imported imported = importer.read(input, context);
    verify(imported.workload());
    return List.of(ExecutionText.print(imported.workload()), imported.notes(), imported.losses());
  }

  private static void verify(Workload workload) {
    workload.verify();
    for (RankClass each : workload.classes()) {
      each.graph().verify();
    }
  }

  private Workload workload() throws IOException {
    WorkloadImporter importer = importer();
    Path input = input(sample("good"));
    return importer.read(input, TestImport.context(importer, Map.of())).workload();
  }

  @Test
  void makesALegalWorkloadOfLegalGraphs() throws IOException {
    verify(workload());
  }

  @Test
  void findsNodesOnEveryRankOfTheSample() throws IOException {
    assertThat(workload().classes())
        .as("classes of ranks of the sample")
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.graph().nodes()).isNotEmpty());
  }
}
