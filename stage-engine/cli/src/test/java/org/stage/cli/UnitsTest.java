package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 FLOP",
    "999, 999 FLOP",
    "1000, 1 kFLOP",
    "999949, 999.9 kFLOP",
    "999950, 1 MFLOP",
    "31490000000000000, 31.49 PFLOP"
  })
  void roundsToFourDigits(long flops, String text) {
    assertThat(Units.flops(flops)).isEqualTo(text);
  }

  @Test
  void knowsAPrefixBeyond64Bits() {
    assertThat(Units.bytes(BigInteger.TEN.pow(25))).isEqualTo("10 YB");
  }
}
