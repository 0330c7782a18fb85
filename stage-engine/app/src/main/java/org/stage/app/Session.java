package org.stage.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.stage.analyze.Analysis;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.TraceValidator;
import org.stage.api.plugin.WorkloadImporter;
import org.stage.api.plugin.WorkloadImporter.Imported;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.app.JobReading.ReadJob;
import org.stage.calibrate.CalibrationReport;
import org.stage.engine.Synthesis;
import org.stage.host.Extension;
import org.stage.host.ImportRun;
import org.stage.host.LoadedPlugin;
import org.stage.host.PluginIssue;
import org.stage.host.PluginStatus;
import org.stage.host.PluginStore;
import org.stage.host.Plugins;

/**
 * STAGE for one user: a method for each command. Plugins are loaded when one is first needed, and
 * closed with the session.
 *
 * <pre>{@code
 * try (Session stage = new Session(List.of(Path.of("plugins")), Listener.NONE)) {
 *   JobRequest job = JobRequest.of(Path.of("job.yaml"));
 *   long peak = stage.inspect(job).analysis().peakMemoryBytes();
 *   stage.synth(SynthRequest.of(job, Path.of("out")));
 * }
 * }</pre>
 *
 * <p>Each method throws {@link InputException} if what it is given is wrong, {@link
 * org.stage.api.diagnostic.WorkException} if the work fails, and {@link
 * java.util.concurrent.CancellationException} if the listener stops it. Sources of messages are
 * options of the command line. A session is for one thread.
 */
public final class Session implements AutoCloseable {
  private final Optional<Path> own;
  private final Listener listener;
  private final LazyPlugins plugins;
  private final JobReading reading;

  /** A session with the plugins in these folders. */
  public Session(List<Path> folders, Listener listener) {
    this(() -> folders, Optional.empty(), false, listener);
  }

  /**
   * A session that has loaded nothing yet.
   *
   * @param folders where plugins are, looked up when one is first needed
   * @param own the user's own plugin folder, to install into; need not be there
   * @param strict whether to stop when anything is wrong with a plugin, not to go on without it
   */
  public Session(
      Supplier<List<Path>> folders, Optional<Path> own, boolean strict, Listener listener) {
    this.own = own;
    this.listener = listener;
    this.plugins = new LazyPlugins(folders, strict, listener);
    this.reading = new JobReading(plugins, listener);
  }

  /** Synthesizes a job, to be asked for its costs; writes nothing. */
  public Synthesis inspect(JobRequest request) {
    return reading.read(request, false).synthesize();
  }

  /** Synthesizes jobs and exports them, and writes {@code calibration.json} beside the exports. */
  public SynthResult synth(SynthRequest request) {
    List<JobRequest> keys = new ArrayList<>();
    ExportSettings settings = ExportSettings.of(request.jobs(), this::exporters, keys);
    Jobs jobs = Jobs.read(request.withJobs(keys), reading);
    Output output = request.output();
    RankSet wanted = Ranks.wanted(output.ranks(), jobs.devices());
    ExportPlan plan = ExportPlan.of(jobs.first(), request.exporters(), settings, plugins.get());
    try (Exporting exporting = new Exporting(plan, output, listener)) {
      List<Synthesis> syntheses = jobs.all().stream().map(ReadJob::synthesize).toList();
      Workload workload = jobs.workload(syntheses, listener);
      List<Analysis> analyses = syntheses.stream().map(this::advised).toList();
      ExportResult exported = exporting.export(workload, wanted, List.of());
      List<CalibrationReport> calibrations =
          syntheses.stream().flatMap(each -> each.calibration().stream()).toList();
      CalibrationJson.write(output.folder(), calibrations);
      return new SynthResult(analyses, exported, calibrations);
    }
  }

  private Set<String> exporters() {
    return plugins.get().extensions(Exporter.class).stream()
        .map(Extension::name)
        .collect(Collectors.toSet());
  }

  private Analysis advised(Synthesis job) {
    Analysis analysis = job.analysis();
    job.advice(analysis).forEach(listener::say);
    return analysis;
  }

  /** Writes traces in other formats. */
  public ConvertResult convert(ConvertRequest request) {
    Path traces = request.traces();
    Output output = request.output();
    TraceFolder.require(traces);
    Extension<WorkloadImporter> importer =
        TraceFolder.TO_CONVERT.reader(plugins.get(), traces, request.format());
    ExportPlan plan = ExportPlan.of(request.exporters(), request.settings(), plugins.get());
    plan.names().forEach(exporter -> requireElsewhere(traces, output.folder().resolve(exporter)));
    try (Exporting exporting = new Exporting(plan, output, listener)) {
      Imported imported = read(importer, traces);
      Workload workload = imported.workload();
      RankSet wanted = Ranks.wanted(output.ranks(), workload.mesh().devices());
      return new ConvertResult(
          importer.name(), exporting.export(workload, wanted, imported.losses()));
    }
  }

  /** What is read must not be replaced while it is. */
  private static void requireElsewhere(Path traces, Path folder) {
    Path target = folder.toAbsolutePath().normalize();
    if (traces.toAbsolutePath().normalize().startsWith(target)) {
      throw new InputException(
          "--out", target + " holds the traces that are to be read", "Name another folder.");
    }
  }

  private Imported read(Extension<WorkloadImporter> importer, Path traces) {
    Imported imported;
    try (Listener.Task progress = listener.begin(importer.name())) {
      imported = ImportRun.read(importer, traces, progress, listener::checkCancelled);
    }
    imported.losses().forEach(listener::say);
    imported.notes().forEach(listener::say);
    return imported;
  }

  /**
   * Checks traces as their simulator would read them.
   *
   * @param traces the folder that holds them
   * @param format their format; empty if the files are to tell
   */
  public ValidateResult validate(Path traces, String format) {
    TraceFolder.require(traces);
    Extension<TraceValidator> validator =
        TraceFolder.TO_VALIDATE.reader(plugins.get(), traces, format);
    try (Listener.Task progress = listener.begin(validator.name())) {
      return new ValidateResult(
          validator.name(), validator.call("validate", each -> each.validate(traces, progress)));
    }
  }

  /**
   * Reads profiles of one run.
   *
   * @param files at least one
   * @param importer the importer; empty if the files are to tell
   * @param settings options of importers, as {@code kineto.rank=3}
   */
  public ProfileResult profile(List<Path> files, String importer, List<String> settings) {
    files.forEach(Session::requireProfile);
    Plugins loaded = plugins.get();
    String source = importer.isEmpty() ? "" : "--importer";
    List<ProfileReading.Request> requests =
        files.stream()
            .distinct()
            .map(file -> new ProfileReading.Request(file, importer, Map.of(), source))
            .toList();
    ProfileReading profiles = new ProfileReading(loaded, listener, importerOptions(settings));
    return ProfileResult.of(List.copyOf(profiles.read(requests).values()));
  }

  private static void requireProfile(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new InputException(
          file.toString(),
          Files.exists(file) ? "is not a file" : "does not exist",
          "Name a profile, as .json or .json.gz.");
    }
  }

  /** Options by importer and name. */
  private static Map<String, Map<String, String>> importerOptions(List<String> settings) {
    Map<String, Map<String, String>> options = new TreeMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      int dot = setting.indexOf('.');
      if (dot < 1 || equals < dot + 2) {
        throw new InputException(
            "--set",
            "'" + setting + "' sets no option of an importer",
            "Write it like kineto.OPTION=VALUE.");
      }
      options
          .computeIfAbsent(setting.substring(0, dot), name -> new TreeMap<>())
          .put(setting.substring(dot + 1, equals), setting.substring(equals + 1));
    }
    return options;
  }

  /** How each plugin fares, told without running any of its code. */
  public List<PluginStatus> plugins() {
    return plugins.get().statuses();
  }

  /** What the plugins give, by plugin, kind and name; each is constructed. */
  public List<ExtensionInfo> extensions() {
    return info(plugins.get().extensions());
  }

  /** What has turned up to be wrong with JARs in the folders. */
  public List<PluginIssue> pluginIssues() {
    return plugins.get().brokenJars();
  }

  /** What the plugin with the id {@code name} gives, or else what is called so; at least one. */
  public List<ExtensionInfo> extensions(String name) {
    return info(plugins.get().named("", name));
  }

  private List<ExtensionInfo> info(List<Extension<?>> extensions) {
    List<ExtensionInfo> all = new ArrayList<>();
    extensions.forEach(each -> all.add(new ExtensionInfo(each, listener)));
    return all;
  }

  /** Checks a plugin and copies it into the user's own folder, in place of an older version. */
  public LoadedPlugin install(Path jar) {
    Plugins present = plugins.get();
    PluginStore.Installed installed = store().install(jar, present);
    installed.warnings().forEach(listener::say);
    return installed.plugin();
  }

  /** Removes what is installed under an id or a file name; returns the files that are gone. */
  public List<Path> remove(String name) {
    Plugins present = plugins.get();
    return store().remove(name, present);
  }

  private PluginStore store() {
    return new PluginStore(
        own.orElseThrow(
            () ->
                new InputException(
                    "STAGE_PLUGIN_HOME",
                    "there is no home directory to install plugins in",
                    "Name a folder by this environment variable.")));
  }

  @Override
  public void close() {
    plugins.close();
  }
}
