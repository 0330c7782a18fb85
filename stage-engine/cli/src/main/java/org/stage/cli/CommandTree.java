package org.stage.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.stage.api.diagnostic.InputException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Puts the commands together. */
final class CommandTree {
  /** Commands that are announced but not there yet: refused by name, not as a typing error. */
  private static final List<String> NOT_YET = List.of("modules");

  private final Stage stage;
  private final CommandLine line;
  private final ErrorReport errors;

  private CommandTree(World world) {
    stage = new Stage(world);
    errors = new ErrorReport(stage);
    line = new CommandLine(stage);
    line.addSubcommand(new SynthCommand(stage));
    line.addSubcommand(new InspectCommand(stage));
    line.addSubcommand(new ConvertCommand(stage));
    line.addSubcommand(new ValidateCommand(stage));
    line.addSubcommand(PluginsCommand.tree(stage));
    line.addSubcommand(new ProfileCommand(stage));
    line.addSubcommand(new ModelsCommand(stage));
    line.addSubcommand(new HardwareCommand(stage));
    line.addSubcommand(new SchemaCommand(stage));
    NOT_YET.forEach(name -> line.addSubcommand(name, notYet(name)));
    line.setOut(world.out());
    line.setErr(world.err());
    // an argument that begins with @ is a file name like any other
    line.setExpandAtFiles(false);
    line.setParameterExceptionHandler(errors);
    line.setExecutionExceptionHandler(errors);
    line.setExecutionStrategy(this::execute);
  }

  static CommandTree of(World world) {
    return new CommandTree(world);
  }

  /** The commands with their options. */
  CommandSpec spec() {
    return line.getCommandSpec();
  }

  int execute(String... args) {
    try {
      return line.execute(args);
    } catch (Throwable error) {
      // picocli hands exceptions to the handler, and lets errors pass
      return errors.report(error);
    }
  }

  private int execute(ParseResult parsed) {
    // logback reads it when the first logger is made, and none is made before
    System.setProperty("stage.log", stage.logLevel());
    System.setProperty("stage.log.pf4j", stage.debug() ? "DEBUG" : "OFF");
    refuseUnknown(parsed);
    return new CommandLine.RunLast().execute(parsed);
  }

  /**
   * Where help is asked for, picocli lets pass what it does not know: {@code stage synht --help}.
   */
  private static void refuseUnknown(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    if (last.isUsageHelpRequested() && !last.unmatched().isEmpty()) {
      throw new UnmatchedArgumentException(last.commandSpec().commandLine(), last.unmatched());
    }
  }

  private static CommandSpec notYet(String name) {
    Callable<Integer> refusal =
        () -> {
          throw new InputException("", "`stage " + name + "` is not available in this version", "");
        };
    CommandSpec spec = CommandSpec.wrapWithoutInspection(refusal);
    spec.usageMessage().hidden(true);
    spec.parser().unmatchedArgumentsAllowed(true).unmatchedOptionsArePositionalParams(true);
    return spec;
  }
}
