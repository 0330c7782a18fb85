package org.stage.host;

import java.util.Arrays;
import java.util.List;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.GraphTransform;
import org.stage.api.plugin.ModelImporter;
import org.stage.api.plugin.Plugin;
import org.stage.api.plugin.ProfileImporter;
import org.stage.api.plugin.TraceValidator;
import org.stage.api.plugin.WorkloadImporter;

/** The extension points of this version. */
public enum ExtensionKind {
  /** Writes a format. */
  EXPORTER(Exporter.class, "exporter"),
  /** Checks a format. */
  VALIDATOR(TraceValidator.class, "validator"),
  /** Reads what a real run took. */
  PROFILE_IMPORTER(ProfileImporter.class, "profile importer"),
  /** Reads foreign descriptions of models. */
  MODEL_IMPORTER(ModelImporter.class, "model importer"),
  /** Reads foreign traces. */
  WORKLOAD_IMPORTER(WorkloadImporter.class, "workload importer"),
  /** Rewrites the symbolic graph. */
  GRAPH_TRANSFORM(GraphTransform.class, "graph transform");

  private final Class<? extends Plugin> point;
  private final String text;

  ExtensionKind(Class<? extends Plugin> point, String text) {
    this.point = point;
    this.text = text;
  }

  /** The name for people: {@code profile importer}. */
  public String text() {
    return text;
  }

  /** What {@code extension} is; one object may be several things. */
  public static List<ExtensionKind> of(Plugin extension) {
    return of(extension.getClass());
  }

  /** What extensions of a class are; nothing if it implements no extension point. */
  static List<ExtensionKind> of(Class<?> type) {
    return Arrays.stream(values()).filter(kind -> kind.point.isAssignableFrom(type)).toList();
  }
}
