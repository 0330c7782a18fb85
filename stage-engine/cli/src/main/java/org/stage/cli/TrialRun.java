package org.stage.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * Runs some commands for the classes that they load, of which {@code bin/stage} has the JVM make a
 * class-data archive. What they say goes nowhere.
 */
final class TrialRun {
  private TrialRun() {}

  /**
   * Entry point.
   *
   * @param args a workload file, and a folder that may be written
   */
  public static void main(String[] args) {
    run("--help");
    run("synth", "--help");
    run("models");
    run("plugins", "list", "--json");
    run("inspect", args[0], "--json");
    run("inspect", "no such file");
    run("synth", args[0], "--out", args[1]);
  }

  private static void run(String... args) {
    PrintWriter nowhere = new PrintWriter(new StringWriter());
    Main.run(nowhere, nowhere, args);
  }
}
