package org.stage.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Whether somebody is watching: only then progress is shown. */
final class Terminal {
  private Terminal() {}

  /** Whether standard output and standard error are both a terminal. */
  static boolean isWatched() {
    Path descriptors = Path.of("/proc/self/fd");
    if (Files.isDirectory(descriptors)) {
      return isTerminal(descriptors.resolve("1")) && isTerminal(descriptors.resolve("2"));
    }
    // elsewhere the JDK knows of standard input and output only
    return isInteractive(System.console());
  }

  static boolean isTerminal(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().matches("/dev/(pts/|tty|console).*");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** From Java 22 on there may be a console where there is no terminal. */
  private static boolean isInteractive(@Nullable Console console) {
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }
}
