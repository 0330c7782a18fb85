package org.stage.api.workload;

import java.util.List;
import java.util.Optional;

/**
 * A distributed job, ready to be translated.
 *
 * @param name prefix of exported files
 * @param model the model's name
 * @param mesh the device mesh
 * @param precision data types
 * @param hardware the device, if it was named
 * @param network dimensions of the network, innermost first, sizes multiplying to the devices;
 *     empty if nothing is known of it
 * @param classes rank classes by lowest rank; together they hold each rank once
 */
public record Workload(
    String name,
    String model,
    Mesh mesh,
    Precision precision,
    Optional<Hardware> hardware,
    List<NetworkDimension> network,
    List<RankClass> classes) {
  /** Copies the lists. */
  public Workload {
    network = List.copyOf(network);
    classes = List.copyOf(classes);
  }
}
