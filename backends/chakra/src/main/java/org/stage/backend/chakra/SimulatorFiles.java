package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.stage.api.diagnostic.Severity;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.AstraSimFiles;
import org.stage.backend.chakra.format.AstraSimFiles.Dimension;

/** Writes what ASTRA-sim needs beside the traces, and how to start it. */
final class SimulatorFiles {
  /** Nodes up to which the log, some 430 bytes for each, stays within the 100 MiB it keeps. */
  private static final long LOGGED_NODES = 150_000;

  private final Workload workload;
  private final Job job;

  SimulatorFiles(Workload workload, Job job) {
    this.workload = workload;
    this.job = job;
  }

  /**
   * Writes the files.
   *
   * @param ranks all ranks by number of nodes
   */
  void write(Path directory, SortedMap<Integer, RankSet> ranks) throws IOException {
    long nodes =
        ranks.entrySet().stream()
            .mapToLong(each -> (long) each.getKey() * each.getValue().size())
            .reduce(0, Math::addExact);
    noteDefaults();
    Optional<AstraSimFiles> whole = files(nodes);
    // what is said by several dimensions means something else on one
    Optional<AstraSimFiles> flat =
        whole
            .filter(files -> !files.suitsCongestionAware() && !job.groups().saidByDimension())
            .map(AstraSimFiles::flattened);
    if (whole.isPresent()) {
      Files.writeString(directory.resolve("system.json"), whole.get().systemJson());
      Files.writeString(directory.resolve("network.yml"), whole.get().networkYaml());
      Files.writeString(directory.resolve("logging.toml"), AstraSimFiles.loggingToml());
      Files.writeString(
          directory.resolve("memory.json"),
          AstraSimFiles.memoryJson(job.findings().hasMemoryMoves()));
    }
    if (flat.isPresent()) {
      Files.writeString(directory.resolve("system-1d.json"), flat.get().systemJson());
      Files.writeString(directory.resolve("network-1d.yml"), flat.get().networkYaml());
    }
    String readme = new Readme(workload, job, ranks, whole, flat.isPresent()).text();
    Files.writeString(directory.resolve("README.md"), readme);
  }

  private Optional<AstraSimFiles> files(long nodes) {
    List<Dimension> network = job.groups().fabric().dimensions();
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
              "Its last lines may be lost then; README.md tells what to count instead.");
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

  private void noteDefaults() {
    if (!job.device().known()) {
      job.findings()
          .add(
              Severity.NOTE,
              "no peak at "
                  + workload.precision().activations().text()
                  + " is known of the device: system.json takes an H100's, and nodes have no"
                  + " durations",
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
