package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * As a stranger who has nothing but the packed distribution and Maven: builds plugins outside of
 * this tree, drops them in, and uses them. There is no network. For the first plugin, Maven gets
 * everything that is not STAGE's from the local repository of this build, read as a remote one, and
 * keeps its own elsewhere; all others are built with {@code -o}, as if STAGE had just been
 * replaced.
 */
class PluginAuthorIT {
  /** Maven's words for what this build happens not to have; it is no fault of the plugin. */
  private static final Pattern NOT_HERE =
      Pattern.compile("(?m)^.*(Could not (find|transfer)|not resolve).*$");

  @TempDir static Path temp;

  /** The example of the distribution, copied out and built. */
  private static Path example;

  @BeforeAll
  static void buildTheFirstPlugin() throws Exception {
    Path maven = Path.of(System.getProperty("stage.maven"));
    assumeTrue(Files.isExecutable(maven), "no Maven to start: " + maven);
    example = temp.resolve("somewhere/my plugin");
    copy(Command.DIST.resolve("plugins/plugin-example"), example);
    Path pom = example.resolve("pom.xml");
    String repository = Command.DIST.resolve("repo").toUri().toString();
    String text = Files.readString(pom);
    assertThat(text).contains("file:///path/to/stage/repo");
    Files.writeString(pom, text.replace("file:///path/to/stage/repo", repository));
    Path here = Path.of(System.getProperty("stage.localRepository"));

    Command build = maven(example, here.toUri().toString(), "verify");

    String missing =
        NOT_HERE.matcher(build.out()).results().map(found -> found.group()).findFirst().orElse("");
    // what is missing of STAGE itself is a fault
    assumeTrue(missing.isEmpty() || missing.contains("org.stage"), missing);
    assertPassed(build);
  }

  /** Builds as {@code mvn -o} does when the local repository has nothing of STAGE. */
  private static void buildOffline(Path project) throws Exception {
    delete(temp.resolve("m2/org/stage"));
    // the same mirror, so that Maven takes what it has from there, but none that answers
    Command build = maven(project, "https://nowhere.invalid/", "-o", "verify");
    assertPassed(build);
  }

  private static void assertPassed(Command build) {
    assertThat(build.exit()).as(build.out()).isZero();
    assertThat(build.out()).containsPattern("Tests run: [1-9]").contains("PluginJarIT");
  }

  private static Command maven(Path project, String mirror, String... args) throws Exception {
    Path settings = project.resolveSibling("settings.xml");
    Files.writeString(
        settings,
        """
        <settings>
          <localRepository>%s</localRepository>
          <mirrors>
            <mirror>
              <id>here</id>
              <mirrorOf>*,!stage</mirrorOf>
              <url>%s</url>
            </mirror>
          </mirrors>
        </settings>
        """
            .formatted(temp.resolve("m2"), mirror));
    List<String> words =
        new ArrayList<>(
            List.of("-B", "-ntp", "-s", settings.toString(), "-gs", settings.toString()));
    words.addAll(List.of(args));
    return Command.run(
        project,
        Map.of("MAVEN_OPTS", "-XX:TieredStopAtLevel=1"),
        System.getProperty("stage.maven"),
        words.toArray(String[]::new));
  }

  private static Command synth(Path folder, Map<String, String> environment, String... more)
      throws Exception {
    String[] args = new String[more.length + 2];
    args[0] = "synth";
    args[1] = Command.DIST.resolve("examples/dense-tiny.yaml").toString();
    System.arraycopy(more, 0, args, 2, more.length);
    return Command.stage(folder, environment, args);
  }

  @Test
  void copiedOutOfTheDistributionTheExampleBuildsAndDropsIn() throws Exception {
    Path plugins = Files.createDirectory(temp.resolve("dropped"));
    String jar = "stage-plugin-example-" + System.getProperty("stage.version") + ".jar";
    Files.copy(example.resolve("target").resolve(jar), plugins.resolve(jar));
    Command synth =
        synth(temp, Map.of(), "--plugins", plugins.toString(), "--to", "csv", "--out", "tables");
    assertThat(synth.err()).isEmpty();
    assertThat(synth.exit()).isZero();
    assertThat(temp.resolve("tables/csv/rank0.csv"))
        .content()
        .startsWith("id,name,kind,phase,flops,bytes,dependencies\r\n0,");
  }

  @Test
  void whatStageBeginsBuildsAndIsInstalled() throws Exception {
    Map<String, String> own = Map.of("STAGE_PLUGIN_HOME", temp.resolve("own").toString());
    assertThat(Command.stage(temp, own, "plugins", "new", "my-format").exit()).isZero();

    buildOffline(temp.resolve("my-format"));

    Command install =
        Command.stage(temp, own, "plugins", "install", "my-format/target/my-format-1.0.0.jar");
    assertThat(install.err()).isEmpty();
    assertThat(install.out()).startsWith("installed my-format 1.0.0");
    assertThat(synth(temp, own, "--to", "my-format", "--out", "mine").exit()).isZero();
    assertThat(temp.resolve("mine/my-format/rank0.txt")).content().startsWith("0 ");
  }

  @Test
  void aProfileImporterThatStageBeginsReadsProfiles() throws Exception {
    Map<String, String> own = begin("profile-importer");
    Path file = temp.resolve("rank0.txt");
    Files.writeString(file, "my-profile-importer 1\nmatmul 8 32 16 1200\nend\n");

    Command profile = Command.stage(temp, own, "profile", file.toString());

    assertThat(profile.exit()).as(profile.err()).isZero();
    assertThat(profile.out())
        .contains("my-profile-importer, rank 0")
        .contains("1 kernel, 1.200 us");
  }

  @Test
  @Tag("long")
  void aValidatorThatStageBeginsTellsBrokenTraces() throws Exception {
    Map<String, String> own = begin("validator");
    Path traces = Files.createDirectory(temp.resolve("checked"));
    Path file = traces.resolve("rank0.txt");
    Files.writeString(file, "my-validator 1\ncompute up 8 8\nend\n");
    Command good = Command.stage(temp, own, "validate", "checked");
    Files.writeString(file, "my-validator 1\ncompute up 8 8\n");
    Command cut = Command.stage(temp, own, "validate", "checked");

    assertThat(good.exit()).as(good.err()).isZero();
    assertThat(cut.exit()).isEqualTo(1);
    assertThat(cut.out() + cut.err()).contains("does not end with 'end'");
  }

  @Test
  @Tag("long")
  void aWorkloadImporterThatStageBeginsReadsTracesToBeConverted() throws Exception {
    Map<String, String> own = begin("workload-importer");
    Path traces = Files.createDirectory(temp.resolve("read"));
    for (int rank = 0; rank < 2; rank++) {
      Files.writeString(
          traces.resolve("rank" + rank + ".txt"),
          "my-workload-importer 1\ncompute up 8 8\nall-reduce sum 64\nend\n");
    }

    Command convert =
        Command.stage(temp, own, "convert", "read", "--to", "chakra", "--out", "converted");

    assertThat(convert.exit()).as(convert.err()).isZero();
    assertThat(Command.stage(temp, own, "validate", "converted/chakra").exit()).isZero();
  }

  @Test
  @Tag("long")
  void aModelImporterThatStageBeginsGivesAModelToAWorkloadFile() throws Exception {
    Map<String, String> own = begin("model-importer");
    Files.writeString(
        temp.resolve("tiny.txt"),
        "my-model-importer 1\nlayers 2\nhidden 64\nffn 128\nheads 4\nkv_heads 4\nvocab 500\nend\n");
    Files.writeString(
        temp.resolve("job.yaml"),
        "model: ./tiny.txt\nmesh: {dp: 2}\ntraining: {global_batch: 2, seq: 16}\n");

    Command synth =
        Command.stage(temp, own, "synth", "job.yaml", "--to", "chakra", "--out", "modelled");

    assertThat(synth.exit()).as(synth.err()).isZero();
    assertThat(temp.resolve("modelled/chakra")).isNotEmptyDirectory();
  }

  /** Begins, builds and installs a plugin; gives the environment in which it is there. */
  private static Map<String, String> begin(String kind) throws Exception {
    Map<String, String> own = Map.of("STAGE_PLUGIN_HOME", temp.resolve("own-" + kind).toString());
    String name = "my-" + kind;
    Command begun = Command.stage(temp, own, "plugins", "new", name, "--kind", kind);
    assertThat(begun.exit()).as(begun.err()).isZero();
    buildOffline(temp.resolve(name));
    String jar = name + "/target/" + name + "-1.0.0.jar";
    Command install = Command.stage(temp, own, "plugins", "install", jar);
    assertThat(install.exit()).as(install.err()).isZero();
    return own;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
