package org.stage.api.workload;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A distributed job, ready to be translated; or several that share the network but no rank.
 *
 * @param name prefix of exported files
 * @param model the model's name
 * @param mesh the device mesh; of several jobs {@link Mesh#ofDevices their devices}, as each has a
 *     mesh of its own
 * @param precision data types
 * @param platform the device and the network, as far as they were named
 * @param classes rank classes by lowest rank; together they hold each rank once
 * @param origin the foreign trace that it was read from; empty if it was synthesized
 */
public record Workload(
    String name,
    String model,
    Mesh mesh,
    Precision precision,
    Platform platform,
    List<RankClass> classes,
    Optional<TraceOrigin> origin) {
  /**
   * What a job runs on.
   *
   * @param hardware the device, if it was named
   * @param network dimensions of the network, innermost first, sizes multiplying to the devices;
   *     empty if nothing is known of it
   * @param collectives how estimates take a collective through several dimensions
   */
  public record Platform(
      Optional<Hardware> hardware, List<NetworkDimension> network, Collectives collectives) {
    /** Copies the list. */
    public Platform {
      network = List.copyOf(network);
    }

    /** One on which collectives are pipelined. */
    public Platform(Optional<Hardware> hardware, List<NetworkDimension> network) {
      this(hardware, network, Collectives.PIPELINED);
    }
  }

  /** Copies the list. Does not {@link #verify}. */
  public Workload {
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
    this(name, model, mesh, precision, new Platform(hardware, network), classes, Optional.empty());
  }

  /** The device, if it was named. */
  public Optional<Hardware> hardware() {
    return platform.hardware();
  }

  /** Dimensions of the network, innermost first; empty if nothing is known of it. */
  public List<NetworkDimension> network() {
    return platform.network();
  }

  /** The same under another name. */
  public Workload withName(String other) {
    return new Workload(other, model, mesh, precision, platform, classes, origin);
  }

  /** The same job with other classes, such as the same ones with guarded graphs. */
  public Workload withClasses(List<RankClass> others) {
    return new Workload(name, model, mesh, precision, platform, others, origin);
  }

  /**
   * The mesh on which the ranks of {@code each} have their groups and peers. An exporter asks here
   * and not {@link #mesh()}, which says nothing of groups where there are several jobs.
   */
  public JobMesh meshOf(RankClass each) {
    return each.job().orElseGet(() -> JobMesh.alone(name, mesh));
  }

  /**
   * The rank at the other end of a message of {@code rank}, which is of job {@code own}.
   *
   * @throws IllegalArgumentException if {@code rank} is not of that job, a mesh has no such axis,
   *     or the workload has no such job
   */
  public int peer(JobMesh own, int rank, Peer peer) {
    if (!(peer instanceof Peer.OfJob other)) {
      return own.peer(rank, peer);
    }
    return jobs().stream()
        .filter(job -> job.name().equals(other.job()))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("workload " + name + " has no job " + other.job()))
        .rank(other, own, rank);
  }

  /** The jobs in it, by lowest rank; without classes the only one. */
  public List<JobMesh> jobs() {
    List<JobMesh> jobs = classes.stream().map(this::meshOf).distinct().toList();
    return jobs.isEmpty() ? List.of(JobMesh.alone(name, mesh)) : jobs;
  }

  /**
   * Checks that the classes hold each rank of the mesh once, on the pipeline stage and of the job
   * that they say, that jobs have names and ranks of their own, and that the network, if given, has
   * as many devices as the mesh. Builds no graph.
   *
   * @throws IllegalArgumentException at the first breach; the message quotes it
   * @throws ArithmeticException if the network has 2^63 devices or more
   */
  public void verify() {
    BitSet seen = new BitSet(mesh.devices());
    for (RankClass each : classes) {
      each.ranks().stream().forEach(rank -> verify(each, rank, seen));
    }
    verifyJobs();
    int missing = seen.nextClearBit(0);
    require(missing == mesh.devices(), "rank " + missing + " is in no class");
    long devices =
        network().stream().mapToLong(NetworkDimension::size).reduce(1, Math::multiplyExact);
    require(
        network().isEmpty() || devices == mesh.devices(),
        "the network has " + devices + " devices, the mesh " + mesh + " has " + mesh.devices());
  }

  private void verifyJobs() {
    List<JobMesh> jobs = jobs();
    int devices = jobs.stream().mapToInt(job -> job.ranks().size()).reduce(0, Math::addExact);
    require(
        devices == mesh.devices(),
        "its jobs have " + devices + " devices, the mesh " + mesh + " has " + mesh.devices());
    Set<String> names = new HashSet<>();
    jobs.forEach(job -> require(names.add(job.name()), "two jobs are called " + job.name()));
  }

  private void verify(RankClass each, int rank, BitSet seen) {
    require(rank < mesh.devices(), "rank " + rank + " is not on the mesh " + mesh);
    require(!seen.get(rank), "rank " + rank + " is in two classes");
    JobMesh job = meshOf(each);
    require(job.ranks().contains(rank), "rank " + rank + " is not of job " + job.name());
    int stage = job.stage(rank);
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
