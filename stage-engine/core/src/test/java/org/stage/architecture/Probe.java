package org.stage.architecture;

import com.fasterxml.jackson.core.JsonFactory;
import org.assertj.core.api.Assertions;

/** Breaks rules, so that a test can see whether they would be seen broken. */
public final class Probe {
  final JsonFactory parser = new JsonFactory();

  void asserts() {
    Assertions.assertThat(new org.stage.schedule.Probe()).isNotNull();
  }
}
