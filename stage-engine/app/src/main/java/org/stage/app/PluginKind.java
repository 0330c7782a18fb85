package org.stage.app;

import java.util.Arrays;
import java.util.List;
import org.stage.api.diagnostic.InputException;

/** The extension point for which a new plugin project has an example. */
public enum PluginKind {
  /** Writes a format. */
  EXPORTER("exporter", "Exporter", "Writes"),
  /** Reads what a real run took. */
  PROFILE_IMPORTER("profile-importer", "ProfileImporter", "Reads profiles in"),
  /** Reads a foreign description of a model. */
  MODEL_IMPORTER("model-importer", "ModelImporter", "Reads models in"),
  /** Reads foreign traces. */
  WORKLOAD_IMPORTER("workload-importer", "WorkloadImporter", "Reads traces in"),
  /** Checks files as their simulator would read them. */
  VALIDATOR("validator", "Validator", "Checks traces in");

  private final String text;
  private final String suffix;
  private final String does;

  PluginKind(String text, String suffix, String does) {
    this.text = text;
    this.suffix = suffix;
    this.does = does;
  }

  /**
   * The kind of that name.
   *
   * @param text as a user types it
   * @throws InputException if there is none; the message lists those that there are
   */
  public static PluginKind of(String text) {
    return Arrays.stream(values())
        .filter(kind -> kind.text.equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new InputException(
                    "--kind",
                    "'" + text + "' is no kind of plugin",
                    "Available: " + String.join(", ", names()) + "."));
  }

  /** The names of all kinds. */
  public static List<String> names() {
    return Arrays.stream(values()).map(PluginKind::text).toList();
  }

  /** The name that users type: {@code profile-importer}. */
  public String text() {
    return text;
  }

  /** What the names of the example's class and templates end in: {@code ProfileImporter}. */
  String suffix() {
    return suffix;
  }

  /** What it does with the format, as the beginning of a sentence. */
  String does() {
    return does;
  }
}
