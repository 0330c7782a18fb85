package org.stage.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.stage.api.graph.Module;

/**
 * Plugins are compiled against what {@code api-surface.txt} lists. A change of it is a change of
 * the API and is reviewed as one. To write it anew: {@code mvn -pl stage-api test
 * -Dtest=ApiSurfaceTest -Dstage.updateGolden=true}.
 */
class ApiSurfaceTest {
  private static final Path GOLDEN = Path.of("src", "test", "resources", "api-surface.txt");

  @Test
  void thePublicTypesAndMembersAreThoseOfTheGoldenFile() throws IOException {
    String surface = ApiSurface.of(Module.class);
    if (Boolean.getBoolean("stage.updateGolden")) {
      Files.writeString(GOLDEN, surface);
    }
    assertThat(surface)
        .as("public API; if the change is meant, run with -Dstage.updateGolden=true")
        .isEqualTo(Files.readString(GOLDEN).replace("\r\n", "\n"));
  }
}
