package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class MainTest {
  @Test
  void printsItsVersion() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int exit = Main.run(new PrintWriter(out), new PrintWriter(err), "--version");

    assertThat(exit).isZero();
    assertThat(out.toString()).startsWith("stage ");
    assertThat(err.toString()).isEmpty();
  }
}
