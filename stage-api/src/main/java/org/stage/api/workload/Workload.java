package org.stage.api.workload;

import java.util.BitSet;
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
 * @param origin the foreign trace that it was read from; empty if it was synthesized
 */
public record Workload(
    String name,
    String model,
    Mesh mesh,
    Precision precision,
    Optional<Hardware> hardware,
    List<NetworkDimension> network,
    List<RankClass> classes,
    Optional<Origin> origin) {
  /** Copies the lists. Does not {@link #verify}. */
  public Workload {
    network = List.copyOf(network);
    classes = List.copyOf(classes);
  }

  /** A workload that was synthesized. */
  public Workload(
      String name,
      String model,
      Mesh mesh,
      Precision precision,
      Optional<Hardware> hardware,
      List<NetworkDimension> network,
      List<RankClass> classes) {
    this(name, model, mesh, precision, hardware, network, classes, Optional.empty());
  }

  /** The same job with other classes, such as the same ones with guarded graphs. */
  public Workload withClasses(List<RankClass> others) {
    return new Workload(name, model, mesh, precision, hardware, network, others, origin);
  }

  /**
   * Checks that the classes hold each rank of the mesh once, on the pipeline stage that they say,
   * and that the network, if given, has as many devices as the mesh. Builds no graph.
   *
   * @throws IllegalArgumentException at the first breach; the message quotes it
   */
  public void verify() {
    BitSet seen = new BitSet(mesh.devices());
    for (RankClass each : classes) {
      each.ranks().stream().forEach(rank -> verify(each, rank, seen));
    }
    int missing = seen.nextClearBit(0);
    require(missing == mesh.devices(), "rank " + missing + " is in no class");
    long devices = network.stream().mapToLong(NetworkDimension::size).reduce(1, (a, b) -> a * b);
    require(
        network.isEmpty() || devices == mesh.devices(),
        "the network has " + devices + " devices, the mesh " + mesh + " has " + mesh.devices());
  }

  private void verify(RankClass each, int rank, BitSet seen) {
    require(rank < mesh.devices(), "rank " + rank + " is not on the mesh " + mesh);
    require(!seen.get(rank), "rank " + rank + " is in two classes");
    int stage = mesh.degree("pp") == 1 ? 0 : mesh.coordinate(rank, "pp");
    require(
        stage == each.stage(),
        "rank " + rank + " of stage " + stage + " is in a class of stage " + each.stage());
    seen.set(rank);
  }

  private void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalArgumentException("workload " + name + ": " + what);
    }
  }
}
