package org.stage.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import org.stage.host.Failures;

/** Starts the command line: as a process, or within another one. */
public final class Main {
  private Main() {}

  /**
   * Runs one command in this JVM.
   *
   * @param out where results go
   * @param err where progress, issues and errors go
   * @param args as typed behind {@code stage}
   * @return 0 done, 1 the work failed, 2 the input is wrong
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return run(World.real(out, err, false, new Interruption(err)), args);
  }

  static int run(World world, String... args) {
    try {
      return CommandTree.of(world).execute(args);
    } finally {
      world.out().flush();
      world.err().flush();
      world.interruption().finished();
    }
  }

  /** Entry point of {@code bin/stage}. */
  public static void main(String[] args) {
    ResultStream results = new ResultStream(new FileOutputStream(FileDescriptor.out));
    PrintWriter out = new PrintWriter(new BufferedOutputStream(results, 1 << 16), false, UTF_8);
    PrintWriter err = new PrintWriter(new FileOutputStream(FileDescriptor.err), true, UTF_8);
    Interruption interruption = new Interruption(err);
    interruption.install();
    int exit = run(World.real(out, err, Terminal.isWatched(), interruption), args);
    @Nullable IOException lost = results.failure();
    if (lost != null) {
      err.println("error: standard output: " + Failures.text(lost));
      exit = Math.max(exit, ExitCode.FAILED);
    }
    System.exit(Launcher.code(exit));
  }
}
