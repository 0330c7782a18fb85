package org.stage.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.stage.api.diagnostic.Diagnostic;

/**
 * What is wrong with a JAR.
 *
 * @param jar the file
 * @param names its plugin id and the extensions that it says it gives, as far as known
 * @param diagnostic what is wrong, with the file's name as source
 */
public record PluginIssue(Path jar, List<String> names, Diagnostic diagnostic) {
  /** Copies the list. */
  public PluginIssue {
    names = List.copyOf(names);
  }

  static PluginIssue error(Path jar, PluginRefused why) {
    return new PluginIssue(
        jar, ManifestFile.names(jar), Diagnostic.error(source(jar), why.message(), why.remedy()));
  }

  static PluginIssue warning(Path jar, String message, String remedy) {
    return new PluginIssue(
        jar, ManifestFile.names(jar), Diagnostic.warning(source(jar), message, remedy));
  }

  /** Whether an extension called {@code name} is, or is likely to be, in the JAR. */
  boolean mayConcern(String name) {
    String file = LoadedPlugin.fileName(jar).toLowerCase(Locale.ROOT);
    return names.contains(name) || ("-" + file).matches(".*[-_.]\\Q" + name + "\\E[-_.].*");
  }

  private static String source(Path jar) {
    return "plugin " + LoadedPlugin.fileName(jar);
  }
}
