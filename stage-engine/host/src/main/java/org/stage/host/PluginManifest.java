package org.stage.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.pf4j.DefaultVersionManager;
import org.pf4j.ManifestPluginDescriptorFinder;
import org.pf4j.PluginDescriptor;
import org.pf4j.VersionManager;

/**
 * What a JAR says of itself in its manifest, checked.
 *
 * @param jar the file
 * @param descriptor the same for PF4J
 */
record PluginManifest(Path jar, PluginDescriptor descriptor) {
  private static final VersionManager VERSIONS = new DefaultVersionManager();
  private static final String REBUILD =
      "Build it with the plugin parent, which writes the manifest.";

  /** Reads and checks the manifest of {@code jar}. */
  static PluginManifest read(Path jar, String apiVersion) throws PluginRefused {
    Attributes attributes = attributes(jar);
    String id = required(attributes, ManifestPluginDescriptorFinder.PLUGIN_ID);
    if (!id.matches("[a-z][a-z0-9.-]*")) {
      throw new PluginRefused(
          "Plugin-Id '" + id + "' is not lower case letters, digits and dashes", REBUILD);
    }
    String version = required(attributes, ManifestPluginDescriptorFinder.PLUGIN_VERSION);
    try {
      VERSIONS.compareVersions(version, version);
    } catch (RuntimeException e) {
      throw new PluginRefused(
          "Plugin-Version '" + version + "' is not a version such as 1.2.0", REBUILD, e);
    }
    @Nullable String others =
        attributes.getValue(ManifestPluginDescriptorFinder.PLUGIN_DEPENDENCIES);
    if (others != null && !others.isBlank()) {
      throw new PluginRefused(
          "it depends on other plugins (" + others + "), which this host does not support",
          "Pack what it needs into its own JAR.");
    }
    checkApi(required(attributes, ManifestPluginDescriptorFinder.PLUGIN_REQUIRES), apiVersion);
    return new PluginManifest(jar, new Descriptors().of(attributes));
  }

  String id() {
    return descriptor.getPluginId();
  }

  String version() {
    return descriptor.getVersion();
  }

  /** Whether the plugin is newer than {@code other}: negative if it is. */
  int newestFirst(PluginManifest other) {
    return VERSIONS.compareVersions(other.version(), version());
  }

  private static Attributes attributes(Path jar) throws PluginRefused {
    try (JarFile file = new JarFile(jar.toFile())) {
      @Nullable Manifest manifest = file.getManifest();
      if (manifest == null) {
        throw new PluginRefused("it has no manifest", REBUILD);
      }
      return manifest.getMainAttributes();
    } catch (IOException | RuntimeException e) {
      throw new PluginRefused(
          "it cannot be read as a JAR: " + Failures.text(e), "Copy or build it again.", e);
    }
  }

  private static String required(Attributes attributes, String name) throws PluginRefused {
    @Nullable String value = attributes.getValue(name);
    if (value == null || value.isBlank()) {
      throw new PluginRefused("its manifest has no " + name, REBUILD);
    }
    return value.strip();
  }

  private static void checkApi(String requires, String apiVersion) throws PluginRefused {
    // by semver 1.0.0-SNAPSHOT is older than 1.0.0, but it is what plugins for 1.0.0 are built
    // against
    String release = apiVersion.replaceFirst("[-+].*", "");
    boolean fits;
    try {
      fits = VERSIONS.checkVersionConstraint(release, requires);
    } catch (RuntimeException e) {
      throw new PluginRefused(
          "Plugin-Requires '" + requires + "' is not a range such as >=1.0.0 & <2.0.0", REBUILD, e);
    }
    if (!fits) {
      String major = release.replaceFirst("\\..*", "");
      throw new PluginRefused(
          "needs stage-api " + requires + ", this host provides " + apiVersion,
          "Install a plugin built for " + major + ".x, or a STAGE that fits it.");
    }
  }

  /** Opens PF4J's translation of a manifest, whose way of reading one dies where there is none. */
  private static final class Descriptors extends ManifestPluginDescriptorFinder {
    PluginDescriptor of(Attributes attributes) {
      Manifest manifest = new Manifest();
      manifest.getMainAttributes().putAll(attributes);
      return createPluginDescriptor(manifest);
    }
  }
}
