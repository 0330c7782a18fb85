package org.stage.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.host.Failures;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns what was thrown into lines for people, and an exit code for scripts. */
final class ErrorReport implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private final Stage stage;

  ErrorReport(Stage stage) {
    this.stage = stage;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine line, ParseResult parsed) {
    return report(e);
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    PrintWriter err = stage.world().err();
    // of options that exclude one another picocli says so with an "Error: " in front
    err.println("error: " + String.valueOf(e.getMessage()).replaceFirst("^Error: ", ""));
    if (e instanceof NoCommandException) {
      e.getCommandLine().usage(err);
      return ExitCode.WRONG_INPUT;
    }
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println(
        "See `"
            + e.getCommandLine().getCommandSpec().qualifiedName()
            + " --help` for what there is.");
    return ExitCode.WRONG_INPUT;
  }

  /** Prints it; with {@code --debug} the stack trace too. */
  int report(Throwable e) {
    int exit = print(e);
    if (stage.debug()) {
      e.printStackTrace(stage.world().err());
    }
    return exit;
  }

  private int print(Throwable e) {
    if (stage.world().interruption().abandoned()) {
      // the process ends, and why has been said; what a plugin says of it is an effect
      return ExitCode.FAILED;
    }
    if (e instanceof InputException input) {
      input.diagnostics().forEach(each -> print(each, ExitCode.WRONG_INPUT));
      return ExitCode.WRONG_INPUT;
    }
    if (e instanceof WorkException work) {
      return print(work.diagnostic(), ExitCode.FAILED);
    }
    if (e instanceof CancellationException) {
      return print("stopped", "Nothing that was unfinished is left.");
    }
    if (e instanceof IOException io) {
      return print(Failures.text(io), "");
    }
    if (e instanceof UncheckedIOException io) {
      @Nullable Throwable cause = io.getCause();
      return print(Failures.text(cause == null ? io : cause), "");
    }
    if (e instanceof OutOfMemoryError) {
      long megabytes = Runtime.getRuntime().maxMemory() >> 20;
      return print(
          "out of memory: the JVM may use " + megabytes + " MB",
          "Give it more by the environment variable STAGE_JAVA_OPTS, for example"
              + " STAGE_JAVA_OPTS=-Xmx8g.");
    }
    return print(
        "internal error: " + Failures.text(e),
        stage.debug() ? "Please report it." : "Run again with --debug, and report it.");
  }

  private int print(String message, String remedy) {
    return print(Diagnostic.error("", message, remedy), ExitCode.FAILED);
  }

  private int print(Diagnostic diagnostic, int exit) {
    stage.world().err().println(Stage.line(diagnostic));
    return exit;
  }
}
