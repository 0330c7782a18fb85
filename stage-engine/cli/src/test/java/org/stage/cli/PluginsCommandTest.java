package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.app.PluginKind;

class PluginsCommandTest {
  @TempDir static Path home;
  @TempDir Path temp;

  @BeforeAll
  static void makeDistribution() throws IOException {
    Distribution.make(home);
    Files.createDirectories(home.resolve("repo/org/stage/stage-plugin-parent"));
  }

  /** As from the distribution, with a plugin folder of one's own. */
  private Run plugins(String... args) {
    return in(home, args);
  }

  private Run in(Path distribution, String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "plugins";
    System.arraycopy(args, 0, all, 1, args.length);
    return Run.of(
        distribution,
        Map.of("STAGE_PLUGIN_HOME", temp.resolve("mine").toString()),
        new Interruption(new PrintWriter(Writer.nullWriter())),
        all);
  }

  private Path folderWithABadJar() throws IOException {
    Path folder = Files.createDirectory(temp.resolve("bad"));
    Files.writeString(folder.resolve("bad.jar"), "no JAR");
    return folder;
  }

  @Test
  void listsThePluginsWithAndWithoutTheWord() {
    Run run = plugins();

    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .containsPattern(
            "fake +1\\.0\\.0 +STARTED +exporter fake, validator fake, workload importer fake +\\S+fake\\.jar\\n");
    assertThat(plugins("list")).isEqualTo(run);
  }

  @Test
  void listsForScriptsWhatIsWrongToo() throws Exception {
    Run run = plugins("list", "--json", "--plugins", folderWithABadJar().toString());
    JsonNode all = new ObjectMapper().readTree(run.out());

    assertThat(run.exit()).isZero();
    JsonNode plugin = all.at("/plugins/0");
    assertThat(plugin.get("id").textValue()).isEqualTo("fake");
    assertThat(plugin.get("jar").textValue()).endsWith("fake.jar");
    JsonNode exporter = plugin.at("/extensions/0");
    assertThat(exporter.at("/kinds/0").textValue()).isEqualTo("exporter");
    assertThat(exporter.at("/options/0/name").textValue()).isEqualTo("mood");
    assertThat(exporter.at("/options/0/choices/1").textValue()).isEqualTo("bug");
    assertThat(exporter.at("/capabilities/nodes/0").textValue()).isEqualTo("compute");
    JsonNode issue = all.at("/issues/0");
    assertThat(issue.get("jar").textValue()).endsWith("bad.jar");
    assertThat(issue.get("severity").textValue()).isEqualTo("error");
    assertThat(issue.get("message").textValue()).startsWith("it cannot be read as a JAR");
    assertThat(issue.get("remedy").textValue()).isNotBlank();
    assertThat(all.at("/states/0/state").textValue()).isEqualTo("STARTED");
    assertThat(all.at("/states/1/state").textValue()).isEqualTo("FAILED");
    assertThat(all.at("/states/1/jar").textValue()).endsWith("bad.jar");
  }

  @Test
  void saysWhatABadJarIsOnOneLineAndFailsOnlyWhenStrict() throws Exception {
    Path folder = folderWithABadJar();

    Run run = plugins("list", "--plugins", folder.toString());
    assertThat(run.exit()).isZero();
    assertThat(run.err().lines()).singleElement().asString().startsWith("warning: plugin bad.jar:");

    Run strict = plugins("list", "--strict-plugins", "--plugins", folder.toString());
    assertThat(strict.exit()).isEqualTo(2);
    assertThat(strict.err()).startsWith("error: plugin bad.jar:").contains("--strict-plugins");
  }

  @Test
  void showsOptionsAndCapabilities() {
    Run run = plugins("info", "fake");

    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .startsWith("fake 1.0.0: ")
        .contains("exporter fake: writes one file a rank\n")
        .contains("validator fake: checks the files\n")
        .containsPattern(" nodes +compute\n")
        .containsPattern(" mood +good or bug or input or memory or curious +good +how\n");
  }

  @Test
  void listsThePluginsThereAreForOneThatIsNot() {
    assertThat(plugins("info", "fke"))
        .isEqualTo(new Run(2, "", "error: there is no plugin 'fke'. There are: fake.\n"));
  }

  @Test
  void saysWhyAPluginIsBrokenThatIsAskedFor() throws Exception {
    Run run = plugins("info", "bad", "--plugins", folderWithABadJar().toString());

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("error: plugin 'bad' is not there, since plugin bad.jar: ");
  }

  @Test
  void installsIntoTheUsersFolderAndUsesAndRemovesItAgain() throws Exception {
    Path empty = Files.createDirectory(temp.resolve("empty"));
    Path jar = home.resolve("plugins/fake.jar");

    Run install = in(empty, "install", jar.toString());
    assertThat(install)
        .isEqualTo(
            new Run(
                0,
                "installed fake 1.0.0 as " + temp.resolve("mine").resolve("fake.jar") + "\n",
                ""));
    assertThat(in(empty).out()).contains("exporter fake");

    Run remove = in(empty, "remove", "fake");
    assertThat(remove.exit()).isZero();
    assertThat(remove.out()).startsWith("removed ").endsWith("fake.jar\n");
    assertThat(in(empty).out()).doesNotContain("fake");
  }

  @Test
  void refusesToInstallABrokenJar() throws Exception {
    Run run = plugins("install", folderWithABadJar().resolve("bad.jar").toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("error: plugin bad.jar: it cannot be read as a JAR: ");
    assertThat(plugins().err()).isEmpty();
  }

  @Test
  void refusesToRemoveABuiltInPlugin() {
    Run run = plugins("remove", "fake");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("error: fake: plugin fake 1.0.0 (fake.jar) is not in ");
    assertThat(home.resolve("plugins/fake.jar")).isRegularFile();
  }

  @Test
  void findsTheUsersFolderAsXdgSays() {
    World none = world(Map.of());
    assertThat(none.pluginHome()).isEmpty();
    Path user = temp.resolve("u");
    assertThat(world(Map.of("HOME", user.toString())).pluginHome())
        .contains(user.resolve(".local/share/stage/plugins"));
    assertThat(world(Map.of("HOME", user.toString(), "XDG_DATA_HOME", "relative")).pluginHome())
        .contains(user.resolve(".local/share/stage/plugins"));
    assertThat(world(Map.of("HOME", "h", "XDG_DATA_HOME", user.toString())).pluginHome())
        .contains(user.resolve("stage/plugins"));
    assertThat(world(Map.of("STAGE_PLUGIN_HOME", "p", "HOME", "h")).pluginHome())
        .contains(Path.of("p"));
  }

  private static World world(Map<String, String> environment) {
    return new World(
        new PrintWriter(new StringWriter()),
        new PrintWriter(new StringWriter()),
        environment,
        Optional.empty(),
        false,
        () -> 0,
        new Interruption(new PrintWriter(Writer.nullWriter())));
  }

  @Test
  void beginsAProject() throws Exception {
    Path project = temp.resolve("my-format");

    Run run = plugins("new", project.toString());

    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("mvn -f " + project + " verify").contains("my-format-1.0.0.jar");
    assertThat(Files.readString(project.resolve("pom.xml")))
        .contains("<stage.plugin.id>my-format</stage.plugin.id>")
        .contains("<url>" + home.resolve("repo").toUri().toString().replaceFirst("/$", ""))
        .doesNotContain("@");
    Path source = project.resolve("src/main/java/com/example/myformat/MyFormatExporter.java");
    assertThat(Files.readString(source))
        .contains("public final class MyFormatExporter implements Exporter")
        .contains("return \"my-format\";");
    assertThat(Files.readAllLines(source)).hasSizeLessThan(60);
    assertThat(plugins("new", project.toString()).err()).contains("is there already");
  }

  @Test
  void beginsAProjectOfEachKind() throws Exception {
    for (PluginKind kind : PluginKind.values()) {
      Path project = temp.resolve("my-" + kind.text());

      Run run = plugins("new", project.toString(), "--kind", kind.text());

      assertThat(run.exit()).as(run.err()).isZero();
      try (Stream<Path> files = Files.walk(project)) {
        List<Path> written = files.filter(Files::isRegularFile).toList();
        assertThat(written).hasSize(5).contains(project.resolve(".mvn/maven.config"));
        for (Path file : written) {
          assertThat(Files.readString(file)).doesNotContainPattern("@[A-Za-z]+@");
        }
      }
    }
  }

  @Test
  void refusesAKindThatIsNone() {
    Run run = plugins("new", temp.resolve("my-format").toString(), "--kind", "importer");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .contains("--kind: 'importer' is no kind of plugin. Available: exporter, profile-importer,")
        .contains("model-importer, workload-importer, validator.");
    assertThat(temp.resolve("my-format")).doesNotExist();
  }

  @Test
  void refusesANameThatIsNone() {
    Run run = plugins("new", temp.resolve("My Format").toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("'My Format' cannot name a plugin");
  }
}
