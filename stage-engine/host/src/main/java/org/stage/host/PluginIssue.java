package org.stage.host;

import java.nio.file.Path;
import java.util.Locale;
import org.stage.api.diagnostic.Diagnostic;

/**
 * What is wrong with a JAR.
 *
 * @param jar the file
 * @param id its plugin id as far as known, else empty
 * @param diagnostic what is wrong, with the file's name as source
 */
record PluginIssue(Path jar, String id, Diagnostic diagnostic) {
  static PluginIssue error(Path jar, String id, PluginRefused why) {
    return new PluginIssue(jar, id, Diagnostic.error(source(jar), why.message(), why.remedy()));
  }

  static PluginIssue warning(Path jar, String id, String message, String remedy) {
    return new PluginIssue(jar, id, Diagnostic.warning(source(jar), message, remedy));
  }

  /** Whether an extension called {@code name} is likely to be in the JAR. */
  boolean mayConcern(String name) {
    String file = LoadedPlugin.fileName(jar).toLowerCase(Locale.ROOT);
    return id.equals(name) || ("-" + file).matches(".*[-_.]\\Q" + name + "\\E[-_.].*");
  }

  private static String source(Path jar) {
    return "plugin " + LoadedPlugin.fileName(jar);
  }
}
