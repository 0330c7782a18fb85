package org.stage.host;

import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.pf4j.DefaultVersionManager;
import org.pf4j.ManifestPluginDescriptorFinder;
import org.pf4j.PluginDescriptor;
import org.pf4j.VersionManager;

/**
 * What a JAR says of itself in its manifest, checked.
 *
 * @param jar the file
 * @param names its id and the extensions that it says it gives
 * @param descriptor the same for PF4J
 */
record PluginManifest(Path jar, List<String> names, PluginDescriptor descriptor) {
  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+");
  private static final VersionManager VERSIONS = new DefaultVersionManager();
  private static final int MAX_VALUE = 100;
  static final String REBUILD = "Build it with the plugin parent, which writes the manifest.";

  /** Reads and checks the manifest of {@code jar}. */
  static PluginManifest read(Path jar, String apiVersion) throws PluginRefused {
    Attributes attributes = ManifestFile.read(jar);
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
    return new PluginManifest(
        jar, ManifestFile.names(attributes), new Descriptors().of(attributes));
  }

  String id() {
    return descriptor.getPluginId();
  }

  String version() {
    return descriptor.getVersion();
  }

  /** Whether the plugin is newer than {@code other}: negative if it is. */
  int newestFirst(PluginManifest other) {
    return compareVersions(other.version(), version());
  }

  /** Compares two versions that have been checked: negative if the first is older. */
  static int compareVersions(String one, String other) {
    return VERSIONS.compareVersions(one, other);
  }

  private static String required(Attributes attributes, String name) throws PluginRefused {
    @Nullable String value = attributes.getValue(name);
    if (value == null || value.isBlank()) {
      throw new PluginRefused("its manifest has no " + name, REBUILD);
    }
    if (value.length() > MAX_VALUE) {
      throw new PluginRefused(
          name + " in its manifest has " + value.length() + " characters", REBUILD);
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
          "Install a plugin built for "
              + major
              + ".x, or "
              + (wantsNewer(requires, release) ? "a newer STAGE." : "an older STAGE."));
    }
  }

  /** Whether a range that does not hold {@code release} lies beyond it. */
  private static boolean wantsNewer(String requires, String release) {
    Matcher bounds = VERSION.matcher(requires);
    boolean newer = false;
    while (bounds.find()) {
      newer |= VERSIONS.compareVersions(bounds.group(), release) > 0;
    }
    // of >=0.1.0 & <1.0.0 and 2.0.0 both ends lie below
    return newer;
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
