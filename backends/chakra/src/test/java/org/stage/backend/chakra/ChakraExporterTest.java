package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChakraExporterTest {
  @Test
  void headerHoldsTheVersion() {
    assertThat(new ChakraExporter().header()).hasSize(7);
  }
}
