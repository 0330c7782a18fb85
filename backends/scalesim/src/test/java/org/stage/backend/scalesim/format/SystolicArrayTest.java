package org.stage.backend.scalesim.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first three figures for each array are what SCALE-Sim v2 reported. */
final class SystolicArrayTest {
  @ParameterizedTest
  @CsvSource({
    "OS, 32, 32, 128, 64, 256, 2543",
    "WS, 128, 128, 256, 256, 256, 2551",
    "WS, 128, 128, 512, 512, 512, 14303",
    "WS, 128, 128, 1024, 1024, 1024, 89983",
    "OS, 128, 128, 1024, 1024, 1024, 81791",
    "WS, 32, 32, 256, 128, 256, 11199",
    // by hand: 9 folds of K over 8 rows, 3 of M over 16 columns, 17 + 16 + 14 cycles each
    "IS, 8, 16, 33, 17, 65, 1268",
    "OS, 1, 1, 1, 1, 1, 0"
  })
  void cyclesAreThoseOfTheSimulator(
      Dataflow dataflow, int height, int width, long m, long n, long k, long cycles) {
    assertThat(new SystolicArray(height, width, dataflow).cycles(new Gemm(m, n, k)))
        .isEqualTo(cycles);
  }

  @Test
  void memoryOfTheSimulatorIsWhatWasMeasuredOnLargeProducts() {
    SystolicArray array = new SystolicArray(128, 128, Dataflow.WS);

    assertThat(array.simulatorBytes(new Gemm(2048, 2048, 2048))).isBetween(6.3e9, 7e9);
    assertThat(array.simulatorBytes(new Gemm(1024, 1024, 1024))).isBetween(0.9e9, 1.1e9);
  }

  @Test
  void aSizeBelowOneIsRefused() {
    assertThatThrownBy(() -> new Gemm(8, 0, 8)).hasMessageContaining("8 x 0 x 8");
  }

  @Test
  void cyclesBeyond63BitsAreNotWrappedRound() {
    SystolicArray array = new SystolicArray(1, 1, Dataflow.WS);
    Gemm huge = new Gemm(1L << 40, 1L << 40, 1);

    assertThatThrownBy(() -> array.cycles(huge)).isInstanceOf(ArithmeticException.class);
  }
}
