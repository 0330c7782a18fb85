package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.AccessDeniedException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ErrorReportTest {
  private final StringWriter err = new StringWriter();

  private int report(Throwable e) {
    PrintWriter out = new PrintWriter(new StringWriter());
    World world =
        new World(
            out,
            new PrintWriter(err, true),
            Map.of(),
            Optional.empty(),
            false,
            () -> 0,
            new Interruption(new PrintWriter(Writer.nullWriter())));
    return new ErrorReport(new Stage(world)).report(e);
  }

  @Test
  void asksToReportABug() {
    assertThat(report(new IllegalStateException("a\nb"))).isEqualTo(1);

    assertThat(err.toString())
        .isEqualTo(
            "error: internal error: IllegalStateException: a b."
                + " Run again with --debug, and report it.\n");
  }

  @Test
  void namesTheFileOfAFailureOfTheFileSystem() {
    assertThat(report(new UncheckedIOException(new AccessDeniedException("out")))).isEqualTo(1);

    assertThat(err.toString()).isEqualTo("error: out: permission denied\n");
  }

  @Test
  void passesOnOtherFailuresOfInputAndOutput() {
    report(new IOException("No space left on device"));

    assertThat(err.toString()).isEqualTo("error: No space left on device\n");
  }
}
