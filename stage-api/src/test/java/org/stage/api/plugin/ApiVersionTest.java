package org.stage.api.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ApiVersionTest {
  @Test
  void versionIsTheOneOfTheBuild() {
    assertThat(ApiVersion.current()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
  }
}
