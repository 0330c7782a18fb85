package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's class-data archive: makes no difference but to the time. */
class StartUpIT {
  @TempDir Path temp;

  private Path home;

  @BeforeEach
  void unpack() throws IOException {
    home = temp.resolve("my stage");
    for (String folder : List.of("bin", "lib", "plugins", "examples")) {
      Files.createDirectories(home.resolve(folder));
      try (Stream<Path> files = Files.list(Command.DIST.resolve(folder))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          // with its permissions
          Files.copy(
              file,
              home.resolve(folder).resolve(file.getFileName()),
              StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  private Command hardware(String archive) throws Exception {
    Map<String, String> environment = Map.of("STAGE_ARCHIVE", archive);
    return Command.run(temp, environment, home.resolve("bin/stage").toString(), "hardware");
  }

  private static List<Path> archives(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void makesOneArchiveAndSaysTheSameWithItAndWithout() throws Exception {
    Command without = hardware("off");
    assertThat(home.resolve("cds")).doesNotExist();

    Command first = hardware("wait");
    Command second = hardware("wait");

    assertThat(without.err()).isEmpty();
    assertThat(first).isEqualTo(without);
    assertThat(second).isEqualTo(without);
    assertThat(archives(home.resolve("cds"))).singleElement().asString().endsWith(".jsa");
  }

  @Test
  void runsWithoutAnArchiveThatDoesNotFit() throws Exception {
    Command without = hardware("off");
    hardware("wait");
    Path archive = archives(home.resolve("cds")).get(0);
    Files.delete(archive);
    Files.writeString(archive, "no archive");

    assertThat(hardware("wait")).isEqualTo(without);
  }

  @Test
  void runsWhereNoArchiveCanBeMade() throws Exception {
    Files.writeString(home.resolve("cds"), "a file in place of the folder");

    Command run = hardware("wait");

    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("h100");
  }
}
