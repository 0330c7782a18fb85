package org.stage.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintWriter;
import org.stage.api.plugin.ApiVersion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command {@code stage}. */
@Command(
    name = "stage",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "Synthesizes execution graphs of distributed LLM workloads.")
public final class Main implements Runnable {
  private Main() {}

  /** Runs one command in this JVM and returns its exit code. */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return new CommandLine(new Main()).setOut(out).setErr(err).execute(args);
  }

  /** Entry point of {@code bin/stage}. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, UTF_8);
    System.exit(run(out, err, args));
  }

  @Override
  public void run() {}

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"stage " + ApiVersion.current()};
    }
  }
}
