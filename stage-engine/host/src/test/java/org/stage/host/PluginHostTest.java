package org.stage.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.TraceValidator;

class PluginHostTest {
  @TempDir Path folder;

  private Plugins load(Path... directories) {
    return Plugins.load(List.of(directories), issue -> {}, "0.1.0-SNAPSHOT");
  }

  private String onlyIssue() {
    try (Plugins plugins = load(folder)) {
      assertThat(plugins.loaded()).isEmpty();
      assertThat(plugins.issues()).hasSize(1);
      return plugins.issues().get(0).toString();
    }
  }

  @Test
  void loadsAPluginWithItsExtensionsByType() {
    Path jar = PluginJar.good("chakra").write(folder.resolve("chakra.jar"));

    try (Plugins plugins = load(folder)) {
      assertThat(plugins.issues()).isEmpty();
      assertThat(plugins.loaded()).containsExactly(new LoadedPlugin("chakra", "1.2.0", "", jar));
      assertThat(plugins.extensions(Exporter.class)).extracting("name").containsExactly("chakra");
      assertThat(plugins.extensions(TraceValidator.class)).isEmpty();
    }
  }

  @Test
  void loadsFromAFolderWithABlankAndAPercentSign() throws Exception {
    Path odd = Files.createDirectory(folder.resolve("a b%20c"));
    PluginJar.good("chakra").write(odd.resolve("chakra+1.jar"));

    try (Plugins plugins = load(odd)) {
      assertThat(plugins.issues()).isEmpty();
      assertThat(plugins.loaded()).hasSize(1);
    }
  }

  @Test
  void loadsAGoodJarBesideBadOnes() throws Exception {
    Files.writeString(folder.resolve("a-text.jar"), "not a JAR");
    new PluginJar("b").withoutManifest().write(folder.resolve("b.jar"));
    PluginJar.good("c").write(folder.resolve("c.jar"));
    new PluginJar("d").write(folder.resolve("d.jar"));

    try (Plugins plugins = load(folder)) {
      assertThat(plugins.loaded()).extracting(LoadedPlugin::id).containsExactly("c");
      assertThat(plugins.issues())
          .extracting(Object::toString)
          .satisfiesExactly(
              issue ->
                  assertThat(issue).startsWith("plugin a-text.jar: it cannot be read as a JAR"),
              issue -> assertThat(issue).startsWith("plugin b.jar: it has no manifest"),
              issue -> assertThat(issue).startsWith("plugin d.jar: it has no META-INF/extensions"));
    }
  }

  @Test
  void refusesAPluginForAnotherApi() {
    PluginJar.good("x").manifest("Plugin-Requires", ">=2.0.0").write(folder.resolve("x.jar"));

    assertThat(onlyIssue())
        .isEqualTo(
            "plugin x.jar: needs stage-api >=2.0.0, this host provides 0.1.0-SNAPSHOT."
                + " Install a plugin built for 0.x, or a newer STAGE.");
  }

  @Test
  void refusesAVersionRangeThatIsNone() {
    PluginJar.good("x").manifest("Plugin-Requires", "new one").write(folder.resolve("x.jar"));

    assertThat(onlyIssue()).contains("Plugin-Requires 'new one' is not a range");
  }

  @Test
  void refusesAPluginThatDependsOnAnother() {
    PluginJar.good("x").manifest("Plugin-Dependencies", "y@1.0").write(folder.resolve("x.jar"));

    assertThat(onlyIssue()).contains("depends on other plugins (y@1.0)");
  }

  @Test
  void saysWhichMethodAClassBuiltAgainstAnOlderApiLacks() {
    new PluginJar("old")
        .index("test.Old")
        .source("org.stage.api.plugin", "Exporter", "public interface Exporter extends Plugin {}")
        .source(
            "test",
            "Old",
            """
            public class Old implements Exporter {
              public String name() { return "old"; }
              public String description() { return "old"; }
            }
            """)
        .write(folder.resolve("old.jar"));

    assertThat(onlyIssue())
        .startsWith("plugin old.jar: test.Old does not implement export() of this version");
  }

  @Test
  void survivesAnErrorInAnInitialiserAndInAConstructor() {
    PluginJar.good("bad")
        .index("test.A", "test.B", "test.C")
        .source("test", "A", "public abstract class A implements Exporter {}")
        .source("test", "B", "public class B extends E0 { static int x = 1 / (int) 0L; }")
        .source("test", "C", "class C extends E0 { }")
        .source("test", "D", "public class D extends E0 { public D() { throw new Error(); } }")
        .index("test.D", "test.Missing")
        .write(folder.resolve("bad.jar"));

    try (Plugins plugins = load(folder)) {
      assertThat(plugins.extensions(Exporter.class)).hasSize(1);
      assertThat(plugins.issues()).hasSize(5);
    }
  }

  @Test
  void showsAPluginNeitherTheHostNorItsTestLibraries() throws Exception {
    String body =
        "for (String name : List.of(\"org.stage.host.PluginHost\","
            + " \"org.assertj.core.api.Assertions\", \"org.junit.jupiter.api.Test\")) {"
            + " try { Class.forName(name); throw new IllegalStateException(name); }"
            + " catch (ClassNotFoundException e) { } }"
            + " if (Thread.currentThread().getContextClassLoader() != getClass().getClassLoader())"
            + " throw new IllegalStateException(\"context\");"
            + " if (getClass().getClassLoader().getResource(\"org/stage/host/Guard.class\") != null)"
            + " throw new IllegalStateException(\"resource\");"
            + " return new ExportReport(0, List.of());";
    new PluginJar("curious").exporter("curious", body).write(folder.resolve("curious.jar"));
    ClassLoader before = Thread.currentThread().getContextClassLoader();

    try (Plugins plugins = load(folder);
        ExportRun run =
            ExportRun.open(folder.resolve("out"), List.of("curious"), false, begun -> {})) {
      Workloads.export(
          run, plugins.find(Exporter.class, "exporter", "", "curious"), Workloads.request());
    }
    assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
  }

  @Test
  void givesAPluginTheApiOfTheHostThoughItBundlesOne() throws Exception {
    byte[] bundled =
        Exporter.class.getResourceAsStream("/org/stage/api/plugin/Exporter.class").readAllBytes();
    PluginJar.good("fat")
        .entry("org/stage/api/plugin/Exporter.class", bundled)
        .write(folder.resolve("fat.jar"));

    try (Plugins plugins = load(folder)) {
      assertThat(plugins.extensions(Exporter.class)).hasSize(1);
    }
  }

  @Test
  void takesTheNewestOfTwoWithOneIdAndSaysSo() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    PluginJar.good("x").manifest("Plugin-Version", "1.10.0").write(other.resolve("a.jar"));
    PluginJar.good("x").manifest("Plugin-Version", "1.9.0").write(folder.resolve("b.jar"));

    try (Plugins plugins = load(folder, other)) {
      assertThat(plugins.loaded()).extracting(LoadedPlugin::version).containsExactly("1.10.0");
      assertThat(plugins.issues().get(0).toString())
          .isEqualTo(
              "plugin b.jar: not loaded, since plugin x 1.10.0 (a.jar) has the same id."
                  + " Remove one of the two.");
    }
  }

  @Test
  void takesAnOlderOneWhereTheNewestIsBroken() {
    new PluginJar("x").manifest("Plugin-Version", "2.0.0").write(folder.resolve("new.jar"));
    PluginJar.good("x").write(folder.resolve("old.jar"));

    try (Plugins plugins = load(folder)) {
      assertThat(plugins.loaded()).extracting(LoadedPlugin::version).containsExactly("1.2.0");
    }
  }

  @Test
  void listsTheNamesThereAreForOneThatIsNot() {
    PluginJar.good("chakra").write(folder.resolve("a.jar"));
    PluginJar.good("simai").write(folder.resolve("b.jar"));

    try (Plugins plugins = load(folder)) {
      assertThatThrownBy(() -> plugins.find(Exporter.class, "exporter", "--to", "chakr"))
          .isInstanceOf(InputException.class)
          .hasMessage("--to: there is no exporter 'chakr'. There are: chakra, simai.");
    }
  }

  @Test
  void saysWhyAJarIsBrokenThatWouldGiveTheName() throws Exception {
    Files.write(folder.resolve("stage-backend-chakra-0.1.0.jar"), "PK".getBytes(UTF_8));

    try (Plugins plugins = load(folder)) {
      assertThatThrownBy(() -> plugins.find(Exporter.class, "exporter", "--to", "chakra"))
          .isInstanceOf(WorkException.class)
          .hasMessageStartingWith(
              "--to: exporter 'chakra' is not there, since plugin stage-backend-chakra-0.1.0.jar:");
    }
  }

  @Test
  void refusesAFolderThatIsNotThere() {
    assertThatThrownBy(() -> load(folder.resolve("nowhere")))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("does not exist");
  }
}
