package org.stage.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.WorkloadImporter;
import org.stage.api.plugin.WorkloadImporter.Imported;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/** Reads a foreign job by an importer, which stays guarded when its graphs are asked for later. */
public final class ImportRun {
  private ImportRun() {}

  /**
   * Reads the traces in {@code directory}.
   *
   * @throws org.stage.api.diagnostic.InputException if they are damaged; graphs may throw it too
   * @throws org.stage.api.diagnostic.WorkException if the importer fails, or what it gives breaks
   *     the promises of a workload
   */
  public static Imported read(
      Extension<WorkloadImporter> importer,
      Path directory,
      Progress progress,
      Cancellation cancellation) {
    PluginContext context =
        new PluginContext(
            importer.plugin().id(), new OptionValues(Map.of()), progress, cancellation);
    Imported imported =
        importer.call(
            "read",
            instance -> {
              Imported read = instance.read(directory, context);
              read.workload().verify();
              return read;
            });
    return new Imported(
        guarded(importer, imported.workload()), imported.notes(), imported.losses());
  }

  private static Workload guarded(Extension<WorkloadImporter> importer, Workload workload) {
    List<RankClass> classes =
        workload.classes().stream()
            .map(each -> each.withGraph(() -> graph(importer, each)))
            .toList();
    return workload.withClasses(classes);
  }

  private static ExecutionGraph graph(Extension<WorkloadImporter> importer, RankClass each) {
    return importer.call(
        "reading rank " + each.ranks().first(),
        instance -> {
          ExecutionGraph graph = each.graph();
          graph.verify();
          return graph;
        });
  }
}
