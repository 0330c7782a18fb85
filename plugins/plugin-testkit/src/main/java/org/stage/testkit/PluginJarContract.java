package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.Plugin;

/**
 * What every packed plugin promises. The plugin parent runs classes called {@code *IT} once the JAR
 * is there, and says where:
 *
 * <pre>{@code
 * class PluginJarIT extends PluginJarContract {}
 * }</pre>
 */
public abstract class PluginJarContract {
  private static final int JAVA_17 = 61;

  @TempDir Path temp;

  /** The JAR under test; by default the one that the plugin parent names. */
  protected Path jar() {
    @Nullable String jar = System.getProperty("stage.plugin.jar");
    assertThat(jar).as("property stage.plugin.jar, which the plugin parent sets").isNotNull();
    return Path.of(String.valueOf(jar));
  }

  @Test
  void saysWhatItIsInItsManifest() throws IOException {
    Attributes manifest = manifest();

    assertThat(manifest.getValue("Plugin-Id")).as("Plugin-Id").matches("[a-z][a-z0-9.-]*");
    assertThat(manifest.getValue("Plugin-Version"))
        .as("Plugin-Version")
        .matches("\\d+\\.\\d+\\.\\d+([-+].+)?");
    assertThat(manifest.getValue("Plugin-Requires"))
        .as("Plugin-Requires")
        .matches(">=\\d+\\.\\d+\\.\\d+ & <\\d+\\.0\\.0");
    assertThat(manifest.getValue("Plugin-Description")).as("Plugin-Description").isNotBlank();
  }

  @Test
  void asksForNothingThatTheHostDoesNotDo() throws IOException {
    Attributes manifest = manifest();

    for (String name : List.of("Plugin-Class", "Plugin-Dependencies", "Class-Path")) {
      assertThat(manifest.getValue(name)).as(name).isNull();
    }
  }

  @Test
  void bundlesNothingThatTheHostProvides() throws IOException {
    assertThat(entries())
        .noneMatch(name -> name.matches("org/(stage/api|pf4j|slf4j|jspecify)/.*\\.class"))
        .noneMatch(name -> name.matches("META-INF/.*\\.(SF|DSA|RSA|EC)"))
        .doesNotContain("module-info.class");
  }

  @Test
  void namesItsExtensionsAndEachCanBeMade() throws Exception {
    try (IsolatedJar plugin = new IsolatedJar(jar())) {
      assertThat(plugin.index()).as(IsolatedJar.INDEX).isNotEmpty();
      for (String className : plugin.index()) {
        Plugin extension = plugin.extension(className);
        assertThat(extension.name()).as("name of %s", className).matches("[a-z][a-z0-9.-]{0,39}");
        assertThat(extension.description()).as("description of %s", className).isNotBlank();
        assertThat(extension.options()).as("options of %s", className).isNotNull();
        assertThat(extension.capabilities()).as("capabilities of %s", className).isNotNull();
      }
    }
  }

  @Test
  void declaresTheNamesThatItProvides() throws Exception {
    List<String> declared =
        List.of(String.valueOf(manifest().getValue("Plugin-Provides")).split("\\s*,\\s*"));
    try (IsolatedJar plugin = new IsolatedJar(jar())) {
      for (String className : plugin.index()) {
        assertThat(declared)
            .as("Plugin-Provides; set stage.plugin.provides")
            .contains(plugin.extension(className).name());
      }
    }
  }

  @Test
  void exportsWithTheLibrariesInTheJarAlone() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    int exported = 0;
    try (IsolatedJar plugin = new IsolatedJar(jar())) {
      thread.setContextClassLoader(plugin.loader());
      for (String className : plugin.index()) {
        if (plugin.extension(className) instanceof Exporter exporter) {
          TestExport.of(exporter).run(Corpus.get(sayable(exporter)), temp);
          exported++;
        }
      }
    } finally {
      thread.setContextClassLoader(before);
    }
    assumeTrue(exported > 0, "the plugin has no exporter");
  }

  private static String sayable(Exporter exporter) {
    return exporter.capabilities().missing(Corpus.get(Corpus.MIXED)).isEmpty()
        ? Corpus.MIXED
        : Corpus.ONE_DEVICE;
  }

  @Test
  void runsOnJava17() throws IOException {
    List<String> newer = new ArrayList<>();
    try (JarFile file = new JarFile(jar().toFile())) {
      for (JarEntry entry : file.stream().toList()) {
        // those for newer versions are left alone by older ones
        if (entry.getName().endsWith(".class")
            && !entry.getName().startsWith("META-INF/versions/")
            && classVersion(file, entry) > JAVA_17) {
          newer.add(entry.getName());
        }
      }
    }
    assertThat(newer).isEmpty();
  }

  private static int classVersion(JarFile file, JarEntry entry) throws IOException {
    try (DataInputStream in = new DataInputStream(file.getInputStream(entry))) {
      in.skipNBytes(6);
      return in.readUnsignedShort();
    }
  }

  private Attributes manifest() throws IOException {
    try (JarFile file = new JarFile(jar().toFile())) {
      @Nullable Manifest manifest = file.getManifest();
      return manifest == null ? new Attributes() : manifest.getMainAttributes();
    }
  }

  private List<String> entries() throws IOException {
    try (JarFile file = new JarFile(jar().toFile())) {
      return file.stream().map(JarEntry::getName).toList();
    }
  }
}
