package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.AstraSimFiles;
import org.stage.backend.chakra.format.AstraSimFiles.Dimension;
import org.stage.backend.chakra.format.AstraSimFiles.Topology;
import org.stage.backend.chakra.format.NetworkFile;

/** Writes what ASTRA-sim needs beside the traces, and how to start it. */
final class SimulatorFiles {
  private static final double DEFAULT_GB_PER_S = 50;
  private static final double DEFAULT_LATENCY_NS = 500;

  /** Nodes up to which the log, some 430 bytes for each, stays within the 100 MiB it keeps. */
  private static final long LOGGED_NODES = 150_000;

  private final Workload workload;
  private final Job job;

  SimulatorFiles(Workload workload, Job job) {
    this.workload = workload;
    this.job = job;
  }

  /** Writes the files for a job of {@code nodes} nodes over all ranks. */
  void write(Path directory, long nodes) throws IOException {
    noteDefaults();
    Optional<AstraSimFiles> whole = files(nodes);
    Optional<AstraSimFiles> flat =
        whole.filter(files -> !files.suitsCongestionAware()).map(AstraSimFiles::flattened);
    if (whole.isPresent()) {
      Files.writeString(directory.resolve("system.json"), whole.get().systemJson());
      Files.writeString(directory.resolve("network.yml"), whole.get().networkYaml());
      Files.writeString(
          directory.resolve("memory.json"),
          AstraSimFiles.memoryJson(job.findings().hasMemoryMoves()));
    }
    if (flat.isPresent()) {
      Files.writeString(directory.resolve("system-1d.json"), flat.get().systemJson());
      Files.writeString(directory.resolve("network-1d.yml"), flat.get().networkYaml());
    }
    String readme = new Readme(workload, job, whole, flat.isPresent()).text();
    Files.writeString(directory.resolve("README.md"), readme);
  }

  private Optional<AstraSimFiles> files(long nodes) {
    List<Dimension> network = network();
    if (network.isEmpty()) {
      job.findings()
          .add(
              Severity.NOTE,
              "ASTRA-sim cannot run one rank: its networks have at least two devices",
              "Its configurations were not written; the trace itself is complete.");
      return Optional.empty();
    }
    if (network.size() == 1 && job.findings().hasKindOnTwoGroups()) {
      job.findings()
          .add(
              Severity.NOTE,
              "on a network of one dimension, ASTRA-sim may crash after the last rank has finished",
              "Its figures are complete by then: count the `finished` lines.");
    }
    return Optional.of(
        new AstraSimFiles(
            network,
            job.device().peakTflops(),
            job.device().memoryGbPerS(),
            nodes <= LOGGED_NODES,
            job.settings().tensors(),
            !job.findings().hasMeasured()));
  }

  /**
   * The user's network; else a switch for each axis of the mesh, on which its groups are a
   * dimension.
   */
  private List<Dimension> network() {
    if (workload.network().isEmpty()) {
      return workload.mesh().axes().stream()
          .filter(axis -> axis.degree() > 1)
          .map(SimulatorFiles::defaultDimension)
          .toList();
    }
    int[] sizes = workload.network().stream().mapToInt(NetworkDimension::size).toArray();
    long size = NetworkFile.devices(sizes);
    if (size != workload.mesh().devices()) {
      throw new InputException(
          "network",
          "its sizes multiply to " + size + ", but the mesh has " + workload.mesh().devices(),
          "Change a size, or leave the network out.");
    }
    return workload.network().stream()
        .filter(dimension -> dimension.size() > 1)
        .map(SimulatorFiles::dimension)
        .toList();
  }

  private static Dimension defaultDimension(MeshAxis axis) {
    return new Dimension(Topology.SWITCH, axis.degree(), DEFAULT_GB_PER_S, DEFAULT_LATENCY_NS);
  }

  private static Dimension dimension(NetworkDimension given) {
    Topology topology =
        switch (given.topology()) {
          case RING -> Topology.RING;
          case SWITCH -> Topology.SWITCH;
          case FULLY_CONNECTED -> Topology.FULLY_CONNECTED;
        };
    return new Dimension(topology, given.size(), given.gbPerS(), given.latencyNs());
  }

  private void noteDefaults() {
    if (!job.device().known()) {
      job.findings()
          .add(
              Severity.NOTE,
              "no peak at "
                  + workload.precision().activations().text()
                  + " is known of the device: system.json takes an H100's, and nodes have no durations",
              "Name the hardware.");
    }
    if (workload.network().isEmpty()) {
      job.findings()
          .add(
              Severity.NOTE,
              "no network is given: network.yml has a switch of 50 GB/s and 500 ns for "
                  + (workload.jobs().size() == 1 ? "each mesh axis" : "all jobs"),
              "Give the network, or change the file.");
    }
  }
}
