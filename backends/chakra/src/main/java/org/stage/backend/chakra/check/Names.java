package org.stage.backend.chakra.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.stage.backend.chakra.format.TraceReader;
import org.stage.backend.chakra.format.proto.Node;

/**
 * The names of nodes, for messages: read again from the files when a fault is found, as nobody
 * keeps millions of names for it. Those of the files asked for last are kept, since faults come in
 * swarms.
 */
final class Names {
  private static final int KEPT = 4;

  private final Map<Path, Map<Long, String>> byFile =
      new LinkedHashMap<>(KEPT, 1, /* accessOrder= */ true);

  /** The name of a node; empty if it has none. */
  String of(Path file, long id) {
    Map<Long, String> names = byFile.get(file);
    if (names == null) {
      names = read(file);
      byFile.put(file, names);
      if (byFile.size() > KEPT) {
        byFile.remove(byFile.keySet().iterator().next());
      }
    }
    return names.getOrDefault(id, "");
  }

  private static Map<Long, String> read(Path file) {
    Map<Long, String> names = new HashMap<>();
    try (TraceReader reader = new TraceReader(file)) {
      for (Node node = reader.next(); node != null; node = reader.next()) {
        names.put(node.getId(), node.getName());
      }
    } catch (IOException e) {
      // It was read before, so it is being changed: what is known so far must do.
      return names;
    }
    return names;
  }
}
