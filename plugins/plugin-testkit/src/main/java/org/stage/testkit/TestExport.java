package org.stage.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.Progress;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/**
 * Calls an exporter as the host does.
 *
 * <pre>{@code
 * ExportReport report =
 *     TestExport.of(new MyExporter()).option("gzip", "true").ranks("0-3").run(workload, directory);
 * }</pre>
 */
public final class TestExport {
  private final Exporter exporter;
  private final Map<String, String> options = new HashMap<>();
  private String ranks = "";
  private Progress progress = Progress.NONE;
  private Runnable cancellation = () -> {};

  private TestExport(Exporter exporter) {
    this.exporter = exporter;
  }

  /** All ranks, and the default of each option. */
  public static TestExport of(Exporter exporter) {
    return new TestExport(exporter);
  }

  /** Sets an option, as a user types it. */
  public TestExport option(String name, String value) {
    options.put(name, value);
    return this;
  }

  /** Sets options by name, as a user types them. */
  public TestExport options(Map<String, String> given) {
    options.putAll(given);
    return this;
  }

  /** Wants the files of these ranks only: {@code 0-3,7}. */
  public TestExport ranks(String ranks) {
    this.ranks = ranks;
    return this;
  }

  /** Listens to progress. */
  public TestExport progress(Progress progress) {
    this.progress = progress;
    return this;
  }

  /** What happens when the exporter asks whether the run goes on; nothing by default. */
  public TestExport onCheck(Runnable cancellation) {
    this.cancellation = cancellation;
    return this;
  }

  /**
   * Exports into {@code directory}, which must be there.
   *
   * @throws IOException if the exporter does
   */
  public ExportReport run(Workload workload, Path directory) throws IOException {
    OptionValues values = OptionValues.of("test", exporter.options(), options);
    RankSet wanted = RankSet.parse(ranks.isEmpty() ? all(workload) : ranks);
    return exporter.export(
        workload, new Context(directory, values, wanted, progress, cancellation));
  }

  private static String all(Workload workload) {
    return "0-" + (workload.mesh().devices() - 1);
  }

  private record Context(
      Path directory, OptionValues options, RankSet ranks, Progress progress, Runnable cancellation)
      implements ExportContext {
    @Override
    public void checkCancelled() {
      cancellation.run();
    }

    @Override
    public Logger log() {
      return NOPLogger.NOP_LOGGER;
    }
  }
}
