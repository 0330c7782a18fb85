package org.stage.backend.genie.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * What Genie reads beside the traces, and how it is started.
 *
 * @param prefix what the names of the traces begin with
 * @param ranks processes
 * @param ranksPerHost processes on a host
 * @param memoryGbPerS memory bandwidth of a device, 10^9 bytes a second
 * @param groups whether there is a file of communicators
 */
public record GenieFiles(
    String prefix, int ranks, int ranksPerHost, double memoryGbPerS, boolean groups) {
  /** The file of communicators. */
  public static final String GROUPS = "comm_group.json";

  /** The file of the logical topology. */
  public static final String TOPOLOGY = "logical_topology.json";

  /** Compute is replayed by its durations, as there is no {@code roofline-enabled}. */
  private static final String SYSTEM =
      """
      {
        "scheduling-policy": "LIFO",
        "endpoint-delay": 10,
        "active-chunks-per-dimension": 1,
        "preferred-dataset-splits": 1,
        "all-reduce-implementation": ["ring"],
        "all-gather-implementation": ["ring"],
        "reduce-scatter-implementation": ["ring"],
        "all-to-all-implementation": ["ring"],
        "collective-optimization": "localBWAware",
        "local-mem-bw": %s,
        "boost-mode": 0
      }
      """;

  private static final String RUN =
      """
      #!/bin/sh
      # Starts Genie on the hosts of the hostfile, one process a rank:
      #
      #   GENIE=<path of AstraSim_Genie, the same on every host> ./run.sh [further options of Genie]
      #
      # This folder must be readable and writable on every host under the same path; a process opens only the
      # trace of its own rank. HOSTFILE, MPIRUN, RDMA_DRIVER and RDMA_PORT may be set.
      set -eu
      here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
      exec ${MPIRUN:-mpirun} --tag-output -np @RANKS@ -N @PER_HOST@ --hostfile "${HOSTFILE:-$here/hostfile}" \\
        "${GENIE:?is the path of AstraSim_Genie}" \\
        --workload "$here/@PREFIX@" \\
        --system "$here/system.json" \\
        --memory "$here/memory.json" \\
        --logical_topology "$here/logical_topology.json" \\
      @GROUPS@  --rdma_driver "${RDMA_DRIVER:-mlx5_0}" \\
        --rdma_port "${RDMA_PORT:-1}" \\
        "$@"
      """;

  /** Writes all of them but the communicators. */
  public void write(Path directory) throws IOException {
    Files.writeString(directory.resolve(TOPOLOGY), topologyJson());
    Files.writeString(directory.resolve("system.json"), SYSTEM.formatted(memoryGbPerS));
    Files.writeString(
        directory.resolve("memory.json"), "{\n  \"memory-type\": \"NO_MEMORY_EXPANSION\"\n}\n");
    Files.writeString(directory.resolve("hostfile"), hostfile());
    Path run = directory.resolve("run.sh");
    Files.writeString(run, script());
    PosixFileAttributeView view = Files.getFileAttributeView(run, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  /** One dimension; its sizes are strings. */
  private String topologyJson() {
    return "{\n  \"logical-dims\": [\"" + ranks + "\"]\n}\n";
  }

  /** Open MPI's form. */
  private String hostfile() {
    StringBuilder hosts = new StringBuilder("# replace the names; ranks are dealt out in order\n");
    int host = 0;
    for (int first = 0; first < ranks; first += ranksPerHost) {
      int slots = Math.min(ranksPerHost, ranks - first);
      hosts.append("host").append(host++).append(" slots=").append(slots).append('\n');
    }
    return hosts.toString();
  }

  private String script() {
    // the option is younger than the public branch, so it stands only where it is needed
    String option = groups ? "  --comm_group \"$here/" + GROUPS + "\" \\\n" : "";
    return RUN.replace("@RANKS@", Integer.toString(ranks))
        .replace("@PER_HOST@", Integer.toString(Math.min(ranks, ranksPerHost)))
        .replace("@PREFIX@", prefix)
        .replace("@GROUPS@", option);
  }
}
