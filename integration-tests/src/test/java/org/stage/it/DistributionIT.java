package org.stage.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
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
    assertThat(DIST.resolve("repo/org/stage/stage-plugin-parent")).isDirectory();
    assertThat(DIST.resolve("schema/workload.schema.json")).isRegularFile();
    assertThat(DIST.resolveSibling(DIST.getFileName() + ".tar.gz")).isRegularFile();
    assertThat(DIST.resolveSibling(DIST.getFileName() + ".zip")).isRegularFile();
  }

  @TestFactory
  Stream<DynamicTest> eachPluginIsOneJarThatLeavesTheApiToTheHost() throws IOException {
    return jars("plugins").stream()
        .map(
            path ->
                DynamicTest.dynamicTest(
                    path.getFileName().toString(),
                    () -> {
                      try (JarFile jar = new JarFile(path.toFile())) {
                        Attributes manifest = jar.getManifest().getMainAttributes();
                        assertThat(manifest.getValue("Plugin-Id")).isNotBlank();
                        assertThat(manifest.getValue("Plugin-Version")).isNotBlank();
                        assertThat(manifest.getValue("Plugin-Requires")).matches(">=.+ & <.+");
                        assertThat(manifest.getValue("Plugin-Description")).isNotBlank();
                        assertThat(manifest.getValue("Plugin-Class")).isNull();
                        assertThat(jar.stream().map(ZipEntry::getName))
                            .contains("META-INF/extensions.idx")
                            .noneMatch(name -> name.matches("org/(stage/api|pf4j|slf4j)/.*"));
                      }
                    }));
  }

  @Test
  void namesTheLicenceOfEachLibrary() throws IOException {
    String list = Files.readString(DIST.resolve("licenses/THIRD-PARTY.txt"));
    for (Path jar : jars("lib")) {
      String name = jar.getFileName().toString().replaceFirst("-\\d.*", "");
      if (!name.startsWith("stage-")) {
        assertThat(list.lines())
            .as("a line for %s", name)
            .anyMatch(line -> line.contains(":" + name + " "));
      }
    }
  }

  private static List<Path> jars(String folder) throws IOException {
    try (Stream<Path> files = Files.list(DIST.resolve(folder))) {
      List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      assertThat(jars).isNotEmpty();
      return jars;
    }
  }
}
