package org.stage.cli;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.stage.app.Listener;
import org.stage.app.ProcessEnd;
import org.stage.host.Failures;

/**
 * The script {@code bin/stage}, as far as it looks after the JVM that it has started. {@code
 * Runtime.halt}, or a crash in native code, gives nothing in the JVM a chance. So an exit code of 0
 * counts for nothing: that the work is done is said by another code. And what a plugin is about to
 * do is noted in a file beforehand; when it is still there at the end, the script has it {@link
 * #main read}.
 */
final class Launcher {
  private static final String DONE = "stage.done";
  private static final String NOTE = "stage.note";

  private final Path note;
  private String culprit = "";
  private List<String> folders = List.of();
  private boolean written;

  private Launcher(Path note) {
    this.note = note;
  }

  /** The launcher that the system properties tell of, if any. */
  static @Nullable Launcher watching(Interruption interruption) {
    @Nullable String name = System.getProperty(NOTE);
    if (name == null) {
      return null;
    }
    Launcher launcher = new Launcher(Path.of(name));
    ProcessEnd.watch(plugin -> launcher.calls(plugin, interruption));
    return launcher;
  }

  /** The exit code for the launcher. */
  static int code(int exit) {
    return exit == ExitCode.DONE ? Integer.getInteger(DONE, ExitCode.DONE) : exit;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it
  private synchronized void calls(String plugin, Interruption interruption) {
    if (culprit.isEmpty()) {
      // a script that is killed cannot pass that on
      ProcessHandle.current().parent().ifPresent(p -> p.onExit().thenRun(interruption::orphan));
    }
    if (!plugin.equals(culprit)) {
      culprit = plugin;
      write();
    }
  }

  /** Takes down where a run writes. */
  synchronized void writes(Listener.Unfinished files) {
    folders = files.folders().stream().map(Path::toAbsolutePath).map(Path::toString).toList();
    write();
  }

  private void write() {
    List<String> lines = new ArrayList<>(List.of(culprit));
    lines.addAll(folders);
    try {
      Files.write(note, lines, WRITE, written ? TRUNCATE_EXISTING : CREATE_NEW);
      written = true;
    } catch (IOException e) {
      // the work does not need it: then nobody is named if the JVM dies
      written = false;
    }
  }

  /** The JVM ends in order. */
  synchronized void forget() {
    try {
      if (written) {
        Files.deleteIfExists(note);
      }
    } catch (IOException e) {
      // a few bytes among temporary files
      written = false;
    }
  }

  /**
   * Entry point after the death of a JVM: says which plugin was at work, and removes what was left.
   *
   * @param args the note, and the exit code
   */
  public static void main(String[] args) throws IOException {
    Path note = Path.of(args[0]);
    List<String> lines = Files.readAllLines(note);
    Files.delete(note);
    System.err.println(
        "error: "
            + lines.get(0)
            + ": the JVM ended without a word (exit code "
            + args[1]
            + ") while it was at work, or just after. Remove it, or report it to its author.");
    if (lines.size() > 1) {
      try {
        ProcessEnd.discard(lines.subList(1, lines.size()).stream().map(Path::of).toList());
      } catch (IOException e) {
        System.err.println("error: removing unfinished files: " + Failures.text(e));
      }
    }
    System.exit(ExitCode.FAILED);
  }
}
