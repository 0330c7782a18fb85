package org.stage.backend.chakra.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NetworkFileTest {
  @Test
  void devicesAreTheProductOfTheDimensions() {
    assertThat(NetworkFile.devices(8, 4, 2)).isEqualTo(64);
    assertThat(NetworkFile.devices()).isEqualTo(1);
    assertThat(NetworkFile.devices(8, 0)).isZero();
  }

  @Test
  void aNetworkBeyond63BitsIsTheLargestAndNotNegative() {
    assertThat(NetworkFile.devices(65_536, 65_536)).isEqualTo(1L << 32);
    assertThat(NetworkFile.devices(999_999_999, 999_999_999, 999_999_999))
        .isEqualTo(Long.MAX_VALUE);
  }
}
