package org.stage.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pf4j.PluginManager;
import org.pf4j.PluginState;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Exporter;

/** The host as a PF4J manager, and which code of a plugin it runs when. */
class PluginStatesTest {
  @TempDir Path folder;

  private final List<String> told = new ArrayList<>();

  private PluginHost host() {
    return new PluginHost(
        List.of(folder), issue -> told.add(issue.diagnostic().toString()), "0.1.0-SNAPSHOT");
  }

  private Plugins load() {
    PluginHost host = host();
    host.loadPlugins();
    return new Plugins(host);
  }

  private static String extension(String body) {
    return "public class X implements Exporter { "
        + body
        + " public String name() { return \"bad\"; } public String description() { return \"\"; }"
        + " public ExportReport export(Workload workload, ExportContext context) {"
        + " return new ExportReport(0, List.of()); } }";
  }

  private void bad(String body) {
    new PluginJar("bad")
        .index("test.X")
        .source("test", "X", extension(body))
        .write(folder.resolve("bad.jar"));
  }

  @Test
  void statesAndEventsArePf4js() {
    PluginJar.good("good").write(folder.resolve("a.jar"));
    PluginJar.good("newer").manifest("Plugin-Requires", ">=2.0.0").write(folder.resolve("b.jar"));
    new PluginJar("torn").write(folder.resolve("c.jar"));
    PluginHost host = host();
    List<String> events = new ArrayList<>();
    host.addPluginStateListener(
        event -> events.add(event.getPlugin().getPluginId() + " " + event.getPluginState()));

    host.loadPlugins();

    assertThat(events)
        .containsExactly(
            "good RESOLVED",
            "good STARTED",
            "newer UNLOADED",
            "torn RESOLVED",
            "torn FAILED",
            "torn UNLOADED");
    assertThat(host.getPlugins(PluginState.STARTED)).hasSize(1);
    assertThat(new Plugins(host).statuses())
        .extracting(status -> status.id() + " " + status.state() + " " + status.gives())
        .containsExactly("good STARTED [exporter good]", "newer DISABLED []", "torn FAILED []");
    host.unloadPlugins();
    assertThat(events).endsWith("good STOPPED", "good UNLOADED");
  }

  @Test
  void whatPf4jOffersWorksOnIt() {
    String source =
        "@org.pf4j.Extension(ordinal = %d) public class %s extends E0 {"
            + " public String name() { return \"%s\"; } }";
    PluginJar.good("good")
        .source("test", "Late", source.formatted(2, "Late", "late"))
        .source("test", "Early", source.formatted(1, "Early", "early"))
        .index("test.Late", "test.Early")
        .write(folder.resolve("a.jar"));
    PluginHost host = host();
    PluginManager manager = host;

    manager.loadPlugins();

    assertThat(manager.getExtensions(Exporter.class))
        .extracting(Exporter::name)
        .containsExactly("good", "early", "late");
    Exporter first = manager.getExtensions(Exporter.class).get(0);
    assertThat(manager.getExtensions(Exporter.class, "good").get(0)).isSameAs(first);
    assertThat(manager.whichPlugin(first.getClass()).getPluginId()).isEqualTo("good");
    manager.unloadPlugins();
  }

  @Test
  void runsNoCodeOfAPluginThatIsNotAskedFor() {
    PluginJar.good("good").write(folder.resolve("a.jar"));
    String mark = folder.resolve("mark").toString();
    bad("static { System.setProperty(\"" + mark + "\", \"ran\"); }");

    try (Plugins plugins = load()) {
      assertThat(plugins.find(Exporter.class, "exporter", "", "good").name()).isEqualTo("good");
      assertThat(plugins.statuses()).hasSize(2);
      assertThat(plugins.loaded()).hasSize(2);
      assertThatThrownBy(() -> new PluginStore(folder).remove("none", plugins));
      assertThat(System.getProperty(mark)).isNull();

      assertThat(plugins.find(Exporter.class, "exporter", "", "bad").name()).isEqualTo("bad");
      assertThat(System.getProperty(mark)).isEqualTo("ran");
    } finally {
      System.clearProperty(mark);
    }
  }

  @Test
  void asksForANameOnlyThoseWhoseManifestGivesIt() {
    PluginJar.good("good").write(folder.resolve("a.jar"));
    new PluginJar("bad")
        .manifest("Plugin-Provides", "bad, worse")
        .index("test.X")
        .source("test", "X", extension("static int x = Integer.parseInt(\"?\");"))
        .write(folder.resolve("bad.jar"));

    try (Plugins plugins = load()) {
      assertThatThrownBy(() -> plugins.find(Exporter.class, "exporter", "--to", "other"))
          .hasMessage("--to: there is no exporter 'other'. There are: bad, good, worse.");
      assertThat(plugins.issues()).isEmpty();
      assertThatThrownBy(() -> plugins.find(Exporter.class, "exporter", "--to", "worse"))
          .isInstanceOf(WorkException.class)
          .hasMessageContaining("'worse' is not there, since plugin bad.jar: test.X throws in its");
      // the caller hears of it by that exception
      assertThat(told).isEmpty();
      assertThat(plugins.statuses().get(1).state()).isEqualTo("FAILED");
    }
  }

  @Test
  void aConstructorThatNeverReturnsIsGivenUp() {
    bad("public X() throws Exception { new java.util.concurrent.CountDownLatch(1).await(); }");
    PluginHost host = host();
    host.loadPlugins();
    ExtensionMaker impatient = new ExtensionMaker(host, Duration.ofMillis(50));

    assertThatThrownBy(() -> impatient.make(host.getExtensionClasses("bad").get(0)))
        .isInstanceOf(PluginRefused.class)
        .hasMessageStartingWith("test.X does not return from its constructor within ");
    assertThat(PluginCalls.running()).isEmpty();
    host.unloadPlugins();
  }

  @Test
  void aPluginAtWorkIsKnownWhileItIs() {
    PluginJar.good("good").write(folder.resolve("a.jar"));

    try (Plugins plugins = load()) {
      Extension<Exporter> exporter = plugins.find(Exporter.class, "exporter", "", "good");
      String doing =
          exporter.call("export", instance -> PluginCalls.running().orElseThrow().doing());
      assertThat(doing).isEqualTo("export");
      assertThat(PluginCalls.running()).isEmpty();
    }
  }
}
