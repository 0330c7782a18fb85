package org.stage.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DistributionIT {
  private static final Path DIST = Path.of(System.getProperty("stage.dist")).normalize();

  @Test
  void startsByASymbolicLinkFromAnotherFolder(@TempDir Path temp) throws Exception {
    Path folder = Files.createDirectory(temp.resolve("a b"));
    Path link = Files.createSymbolicLink(folder.resolve("stage"), DIST.resolve("bin/stage"));
    Process process =
        new ProcessBuilder(link.toString(), "--version")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    Files.delete(link);

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output).isEqualTo("stage " + System.getProperty("stage.version") + "\n");
    assertThat(process.exitValue()).isZero();
  }

  @Test
  void holdsWhatAUserUnpacks() {
    assertThat(DIST.resolve("LICENSE")).isRegularFile();
    assertThat(DIST.resolve("NOTICE")).isRegularFile();
    assertThat(DIST.resolve("schema/workload.schema.json")).isRegularFile();
    assertThat(DIST.resolveSibling(DIST.getFileName() + ".tar.gz")).isRegularFile();
    assertThat(DIST.resolveSibling(DIST.getFileName() + ".zip")).isRegularFile();
  }
}
