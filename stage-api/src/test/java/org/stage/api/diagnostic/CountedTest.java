package org.stage.api.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedTest {
  @Test
  void oneIsNotMany() {
    assertThat(Counted.of(1, "rank")).isEqualTo("1 rank");
    assertThat(Counted.of(0, "rank")).isEqualTo("0 ranks");
    assertThat(Counted.of(1, "box", "boxes")).isEqualTo("1 box");
    assertThat(Counted.of(1024, "box", "boxes")).isEqualTo("1,024 boxes");
  }
}
