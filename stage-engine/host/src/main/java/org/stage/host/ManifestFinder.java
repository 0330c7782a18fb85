package org.stage.host;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.pf4j.DefaultPluginDescriptor;
import org.pf4j.ManifestPluginDescriptorFinder;
import org.pf4j.PluginDescriptor;
import org.pf4j.PluginManager;
import org.pf4j.VersionManager;

/**
 * What JARs say of themselves in their manifests. PF4J's own finder throws a bare {@code
 * NullPointerException} where there is no manifest and checks nothing; this one refuses what the
 * manager could not use: no id, a version or range that is none, and what this host leaves out,
 * plugins that need other plugins or have a class to be started.
 */
final class ManifestFinder extends ManifestPluginDescriptorFinder {
  static final String REBUILD = "Build it with the plugin parent, which writes the manifest.";
  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+");
  private static final int MAX_VALUE = 100;

  private final PluginManager manager;
  private final Map<Path, PluginDescriptor> found = new HashMap<>();

  ManifestFinder(PluginManager manager) {
    this.manager = manager;
  }

  /** A plugin's descriptor, with the names that its JAR says it gives. */
  static final class Descriptor extends DefaultPluginDescriptor {
    private List<String> provides = List.of();

    /** The names in {@code Plugin-Provides}; empty if the manifest has no such line. */
    List<String> provides() {
      return provides;
    }
  }

  @Override
  public PluginDescriptor find(Path jar) {
    // asked twice: to put versions of one plugin in order, and by the manager when it loads one
    return found.computeIfAbsent(jar, each -> createPluginDescriptor(ManifestFile.read(each)));
  }

  @Override
  protected DefaultPluginDescriptor createPluginDescriptorInstance() {
    return new Descriptor();
  }

  @Override
  protected PluginDescriptor createPluginDescriptor(Manifest manifest) {
    Attributes attributes = manifest.getMainAttributes();
    String id = required(attributes, PLUGIN_ID);
    if (!id.matches("[a-z][a-z0-9.-]*")) {
      throw new PluginRefused(
          "Plugin-Id '" + id + "' is not lower case letters, digits and dashes", REBUILD);
    }
    checkVersions(required(attributes, PLUGIN_VERSION), required(attributes, PLUGIN_REQUIRES));
    absent(
        attributes,
        PLUGIN_DEPENDENCIES,
        "it depends on other plugins (%s), which this host does not support",
        "Pack what it needs into its own JAR.");
    absent(
        attributes,
        PLUGIN_CLASS,
        "it has a class to be started (%s), which this host does not support",
        "Leave Plugin-Class out: an extension is constructed when it is first asked for.");
    Descriptor descriptor = (Descriptor) super.createPluginDescriptor(manifest);
    descriptor.provides = ManifestFile.names(attributes, ManifestFile.PROVIDES);
    return descriptor;
  }

  /** Why the manager has disabled a plugin. */
  PluginRefused unfit(PluginDescriptor descriptor, String apiVersion) {
    String release = manager.getSystemVersion();
    return new PluginRefused(
        "needs stage-api " + descriptor.getRequires() + ", this host provides " + apiVersion,
        "Install a plugin built for "
            + release.replaceFirst("\\..*", "")
            + ".x, or "
            + (wantsNewer(descriptor.getRequires(), release)
                ? "a newer STAGE."
                : "an older STAGE."));
  }

  private void checkVersions(String version, String requires) {
    VersionManager versions = manager.getVersionManager();
    try {
      versions.compareVersions(version, version);
    } catch (RuntimeException e) {
      throw new PluginRefused(
          "Plugin-Version '" + version + "' is not a version such as 1.2.0", REBUILD, e);
    }
    try {
      versions.checkVersionConstraint(manager.getSystemVersion(), requires);
    } catch (RuntimeException e) {
      throw new PluginRefused(
          "Plugin-Requires '" + requires + "' is not a range such as >=1.0.0 & <2.0.0", REBUILD, e);
    }
  }

  private static void absent(Attributes attributes, String name, String message, String remedy) {
    @Nullable String value = attributes.getValue(name);
    if (value != null && !value.isBlank()) {
      throw new PluginRefused(message.formatted(value), remedy);
    }
  }

  private static String required(Attributes attributes, String name) {
    @Nullable String value = attributes.getValue(name);
    if (value == null || value.isBlank()) {
      throw new PluginRefused("its manifest has no " + name, REBUILD);
    }
    if (value.length() > MAX_VALUE) {
      throw new PluginRefused(
          name + " in its manifest has " + value.length() + " characters", REBUILD);
    }
    attributes.putValue(name, value.strip());
    return value.strip();
  }

  /** Whether a range that does not hold {@code release} lies beyond it. */
  private boolean wantsNewer(String requires, String release) {
    Matcher bounds = VERSION.matcher(requires);
    boolean newer = false;
    while (bounds.find()) {
      newer |= manager.getVersionManager().compareVersions(bounds.group(), release) > 0;
    }
    // of >=0.1.0 & <1.0.0 and 2.0.0 both ends lie below
    return newer;
  }
}
