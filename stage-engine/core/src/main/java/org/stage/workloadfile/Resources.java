package org.stage.workloadfile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** YAML files that come with the engine. */
final class Resources {
  private Resources() {}

  /** The map in the resource {@code path}. */
  static SourceNode.Fields map(String path) {
    if (TreeReader.read(path, text(path)) instanceof SourceNode.Fields fields) {
      return fields;
    }
    throw new IllegalStateException(path + " is not a map");
  }

  /** The words of the list at {@code key}. */
  static List<String> words(SourceNode.Fields fields, String key) {
    if (fields.get(key) instanceof SourceNode.Items list) {
      return list.items().stream().map(item -> ((SourceNode.Scalar) item).raw()).toList();
    }
    throw new IllegalStateException("no list of " + key + " in " + fields.keys());
  }

  /** The text of the resource {@code path}. */
  static String text(String path) {
    try (InputStream in = Resources.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("the distribution lacks " + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }
}
