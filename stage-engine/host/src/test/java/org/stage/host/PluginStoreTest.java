package org.stage.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;

class PluginStoreTest {
  @TempDir Path temp;

  private PluginStore store() {
    return new PluginStore(temp.resolve("a/store"));
  }

  private Plugins present() {
    return Plugins.load(
        Stream.of(store().folder(), temp.resolve("built-in")).filter(Files::isDirectory).toList(),
        issue -> {},
        "0.1.0");
  }

  private PluginStore.Installed install(PluginJar jar) {
    return install(jar.write(temp.resolve("given.jar")));
  }

  private PluginStore.Installed install(Path jar) {
    try (Plugins present = present()) {
      return store().install(jar, present, "0.1.0");
    }
  }

  private List<Path> remove(String name) {
    try (Plugins present = present()) {
      return store().remove(name, present);
    }
  }

  private List<String> files() throws IOException {
    if (!Files.exists(store().folder())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(store().folder())) {
      return files.map(LoadedPlugin::fileName).sorted().toList();
    }
  }

  private void builtIn(PluginJar jar) throws IOException {
    jar.write(Files.createDirectories(temp.resolve("built-in")).resolve("x.jar"));
  }

  @Test
  void putsACopyIntoPlaceUnderItsId() throws Exception {
    PluginStore.Installed installed = install(PluginJar.good("csv"));

    assertThat(files()).containsExactly("csv.jar");
    assertThat(installed.warnings()).isEmpty();
    assertThat(installed.plugin())
        .isEqualTo(new LoadedPlugin("csv", "1.2.0", "", store().folder().resolve("csv.jar")));
    try (Plugins plugins = present()) {
      assertThat(plugins.named("", "csv")).hasSize(1);
    }
  }

  @Test
  void replacesAnotherVersionEvenOnePutThereByHand() throws Exception {
    install(PluginJar.good("csv"));
    PluginJar.good("csv").write(store().folder().resolve("csv-by-hand.jar"));

    install(PluginJar.good("csv").manifest("Plugin-Version", "1.1.0"));

    assertThat(files()).containsExactly("csv.jar");
    try (Plugins plugins = present()) {
      assertThat(plugins.loaded()).extracting(LoadedPlugin::version).containsExactly("1.1.0");
    }
  }

  @Test
  void refusesABrokenOneWithTheReasonAndLeavesNothing() throws Exception {
    assertThatThrownBy(() -> install(new PluginJar("csv")))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("plugin given.jar: it has no META-INF/extensions.idx. Build it");

    assertThat(files()).isEmpty();
  }

  @Test
  void keepsTheOldOneWhereTheNewOneIsBroken() throws Exception {
    install(PluginJar.good("csv"));

    assertThatThrownBy(() -> install(new PluginJar("csv"))).isInstanceOf(InputException.class);

    try (Plugins plugins = present()) {
      assertThat(plugins.issues()).isEmpty();
      assertThat(plugins.loaded()).hasSize(1);
    }
  }

  @Test
  void refusesANameThatAnotherPluginGives() throws Exception {
    builtIn(PluginJar.good("csv"));

    assertThatThrownBy(() -> install(new PluginJar("table").exporter("csv", "return null;")))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("'csv' is already given by plugin csv 1.2.0 (x.jar)");
  }

  @Test
  void refusesOneThatABuiltInOneWouldHide() throws Exception {
    builtIn(PluginJar.good("csv"));

    assertThatThrownBy(() -> install(PluginJar.good("csv")))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("would not be used, since ")
        .hasMessageContaining("Give it a newer version");
    install(PluginJar.good("csv").manifest("Plugin-Version", "1.3.0"));

    assertThat(files()).containsExactly("csv.jar");
  }

  @Test
  void refusesAFileThatIsNotThere() {
    assertThatThrownBy(() -> install(temp.resolve("nowhere.jar")))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("nowhere.jar: does not exist");
  }

  @Test
  void namesAFolderThatCannotBeWritten() throws Exception {
    Files.writeString(temp.resolve("a"), "a file where a folder should be");

    assertThatThrownBy(() -> install(PluginJar.good("csv")))
        .isInstanceOf(WorkException.class)
        .hasMessageContaining("cannot be written")
        .hasMessageContaining("STAGE_PLUGIN_HOME");
  }

  @Test
  void removesByIdOrByFileWhateverItsState() throws Exception {
    install(PluginJar.good("csv"));
    Files.writeString(store().folder().resolve("bad.jar"), "no JAR");

    assertThat(remove("csv")).hasSize(1);
    assertThat(remove("bad.jar")).hasSize(1);

    assertThat(files()).isEmpty();
  }

  @Test
  void removesNothingThatWasNotInstalled() throws Exception {
    builtIn(PluginJar.good("chakra"));
    install(PluginJar.good("csv"));

    assertThatThrownBy(() -> remove("chakra"))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("is not in")
        .hasMessageContaining("built-in");
    assertThatThrownBy(() -> remove("simai"))
        .hasMessage("simai: no plugin of that name is installed. There are: csv.");

    assertThat(temp.resolve("built-in/x.jar")).isRegularFile();
  }
}
