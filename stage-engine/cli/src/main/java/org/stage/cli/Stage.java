package org.stage.cli;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.ApiVersion;
import org.stage.app.Listener;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command {@code stage} itself, with the options that every command has; on a session it
 * listens for the user.
 */
@Command(
    name = "stage",
    versionProvider = Stage.Version.class,
    description = "Synthesizes execution graphs of distributed LLM workloads.",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the work failed, or `validate` found faults",
      "2:the input is wrong"
    })
// picocli acts on --help and --version itself; it only needs a place for them
@SuppressWarnings("UnusedVariable")
final class Stage implements Callable<Integer>, Listener {
  private static final List<String> LOG_LEVELS =
      List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF");

  private final World world;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Shows this help.")
  private boolean help;

  @Option(names = "--version", versionHelp = true, description = "Shows the version.")
  private boolean version;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Says more on standard error.")
  private boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Says only errors on standard error.")
  private boolean quiet;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Logs everything, and shows the stack trace of an error.")
  private boolean debug;

  Stage(World world) {
    this.world = world;
  }

  @Override
  public Integer call() {
    throw new NoCommandException(spec.commandLine());
  }

  World world() {
    return world;
  }

  boolean debug() {
    return debug;
  }

  boolean quiet() {
    return quiet;
  }

  /** Prints a diagnostic as one line on standard error; with {@code -q} only an error. */
  @Override
  public void say(Diagnostic diagnostic) {
    if (!quiet || diagnostic.severity() == Severity.ERROR) {
      world.err().println(line(diagnostic));
    }
  }

  @Override
  public Task begin(String name) {
    return new ProgressLine(this, name);
  }

  @Override
  public void filesAtStake(Unfinished files) {
    world.interruption().expectCleanup(files);
  }

  @Override
  public void checkCancelled() {
    world.interruption().check();
  }

  static String line(Diagnostic diagnostic) {
    return diagnostic.severity().name().toLowerCase(Locale.ROOT) + ": " + diagnostic;
  }

  /** The least severe log messages that are wanted. */
  String logLevel() {
    if (debug) {
      return "DEBUG";
    }
    if (quiet) {
      return "ERROR";
    }
    if (verbose) {
      return "INFO";
    }
    String wanted = world.variable("STAGE_LOG").toUpperCase(Locale.ROOT);
    if (!wanted.isEmpty() && !LOG_LEVELS.contains(wanted)) {
      say(
          Diagnostic.warning(
              "STAGE_LOG",
              "'" + world.variable("STAGE_LOG") + "' is not a log level",
              "Take one of " + String.join(", ", LOG_LEVELS).toLowerCase(Locale.ROOT) + "."));
    }
    return LOG_LEVELS.contains(wanted) ? wanted : "WARN";
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"stage " + ApiVersion.current()};
    }
  }
}
