package org.stage.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.Progress;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;

/**
 * Exports under one folder, each whole or not at all: an exporter writes into a hidden folder,
 * which is renamed when it is done. Closing the run removes what was not finished, and the folders
 * made for it.
 */
public final class ExportRun implements AutoCloseable {
  private final OutputFolder out;
  private final boolean force;
  private final Map<String, Staging> stagings = new ConcurrentHashMap<>();

  /**
   * What to export.
   *
   * @param workload the job
   * @param options the exporter's options, checked
   * @param ranks the ranks whose files are wanted
   * @param progress where progress goes
   * @param cancellation the user's wish to stop
   * @param losses what was lost before the export, in reading a foreign job
   */
  public record Request(
      Workload workload,
      OptionValues options,
      RankSet ranks,
      Progress progress,
      Cancellation cancellation,
      List<Diagnostic> losses) {
    /** Copies the list. */
    public Request {
      losses = List.copyOf(losses);
    }
  }

  /**
   * What was exported.
   *
   * @param directory where it is
   * @param files how many files
   * @param bytes their sizes together
   * @param report what the exporter says
   */
  public record Result(Path directory, long files, long bytes, ExportReport report) {}

  private ExportRun(OutputFolder out, boolean force) {
    this.out = out;
    this.force = force;
  }

  /**
   * Prepares the output of some exporters before any work is done.
   *
   * @param out the folder; made with its parents if it is missing
   * @param exporters their names, each of which is to become a folder in {@code out}
   * @param force whether to replace what is there
   * @param begun takes the run before it makes anything; whoever ends the process closes it, on any
   *     thread
   * @throws org.stage.api.diagnostic.InputException if output is there already and {@code force} is
   *     not set, or {@code out} is a file
   * @throws org.stage.api.diagnostic.WorkException if {@code out} cannot be written
   */
  public static ExportRun open(
      Path out, List<String> exporters, boolean force, Consumer<ExportRun> begun) {
    OutputFolder folder = OutputFolder.of(out);
    ExportRun run = new ExportRun(folder, force);
    begun.accept(run);
    folder.make();
    boolean ready = false;
    try {
      Leftovers.clean(out);
      if (!force) {
        exporters.forEach(folder::requireFree);
      }
      for (String exporter : exporters) {
        run.stagings.put(exporter, Staging.create(out, exporter));
      }
      ready = true;
      return run;
    } catch (IOException e) {
      throw OutputFolder.unwritable(out, e);
    } finally {
      if (!ready) {
        run.close();
      }
    }
  }

  /**
   * Runs one of the exporters, and leaves its files aside until they are {@link #publish
   * published}. What the exporter reports is written beside them.
   *
   * @throws java.util.concurrent.CancellationException if the user has stopped it
   * @throws org.stage.api.diagnostic.WorkException if it fails
   */
  public Result prepare(Extension<Exporter> exporter, Request request) {
    Staging staging = staging(exporter);
    Workload workload = EngineSide.of(request.workload());
    Context context = new Context(staging.files(), request, exporter.plugin().id());
    Path target = out.path().resolve(exporter.name());
    ExportReport said;
    try {
      said = exporter.call("export", instance -> instance.export(workload, context));
    } catch (WorkException e) {
      throw OutputFolder.named(target, e);
    }
    request.cancellation().check();
    List<Diagnostic> losses = new ArrayList<>(request.losses());
    losses.addAll(said.losses());
    ExportReport report = new ExportReport(said.nodes(), said.notes(), losses);
    try {
      ReportFile.write(staging.files(), exporter.name(), workload.name(), report);
      FileTrees.Size size = FileTrees.size(staging.files());
      return new Result(target, size.files(), size.bytes(), report);
    } catch (IOException e) {
      throw OutputFolder.unwritable(target, e);
    }
  }

  /**
   * Puts the files of an exporter into place.
   *
   * @throws org.stage.api.diagnostic.WorkException if that is not possible
   */
  public void publish(Extension<Exporter> exporter, Result prepared) {
    try {
      staging(exporter).publish(force);
    } catch (IOException e) {
      throw OutputFolder.unwritable(prepared.directory(), e);
    }
  }

  /** Where it writes: the folder, and those that were made for it, outermost first. */
  public List<Path> folders() {
    return Stream.concat(Stream.of(out.path()), out.made().stream()).toList();
  }

  /**
   * Removes what a run has left whose process has died.
   *
   * @param folders what {@link #folders} said of it
   */
  public static void discard(List<Path> folders) throws IOException {
    Leftovers.clean(folders.get(0));
    new OutputFolder(folders.get(0), folders.subList(1, folders.size())).removeMade();
  }

  private Staging staging(Extension<Exporter> exporter) {
    return Objects.requireNonNull(stagings.get(exporter.name()), "not opened");
  }

  @Override
  public void close() {
    stagings.values().forEach(Staging::close);
    out.removeMade();
  }

  private record Context(Path directory, Request request, String plugin) implements ExportContext {
    @Override
    public OptionValues options() {
      return request.options();
    }

    @Override
    public RankSet ranks() {
      return request.ranks();
    }

    @Override
    public Progress progress() {
      return request.progress();
    }

    @Override
    public void checkCancelled() {
      request.cancellation().check();
    }

    @Override
    public Logger log() {
      return LoggerFactory.getLogger("plugin." + plugin);
    }
  }
}
