package org.stage.api.workload;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a workload comes from that was not synthesized. The dependencies of its nodes are those of
 * the trace: an exporter of the same format adds none, and says the nodes' {@link Details} again.
 *
 * @param format the name of the importer: {@code chakra}
 * @param groups the communicators that the trace names, members in the order that it gives, in the
 *     order that it lists them
 */
public record TraceOrigin(String format, Map<String, List<Integer>> groups) {
  /** Copies the map, keeping its order. */
  public TraceOrigin {
    Map<String, List<Integer>> copy = new LinkedHashMap<>();
    groups.forEach((name, members) -> copy.put(name, List.copyOf(members)));
    groups = Collections.unmodifiableMap(copy);
  }
}
