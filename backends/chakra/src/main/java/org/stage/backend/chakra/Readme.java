package org.stage.backend.chakra;

import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.AstraSimFiles;

/** The page that tells a user of the exported files how to run them. */
final class Readme {
  private final Workload workload;
  private final Job job;
  private final SortedMap<Integer, RankSet> ranks;
  private final Optional<AstraSimFiles> files;
  private final boolean flattened;

  Readme(
      Workload workload,
      Job job,
      SortedMap<Integer, RankSet> ranks,
      Optional<AstraSimFiles> files,
      boolean flattened) {
    this.workload = workload;
    this.job = job;
    this.ranks = ranks;
    this.files = files;
    this.flattened = flattened;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(workload.name()).append(": ").append(workload.model()).append("\n\n");
    text.append(
        String.format(
            Locale.ROOT,
            """
            Chakra execution traces (schema 0.0.4) of %d ranks%s.

            | file | what |
            | --- | --- |
            | `%s.<rank>.et` | what each rank does in one step |
            | `%s.json` | the members of each communicator |
            """,
            workload.mesh().devices(),
            workload.jobs().size() == 1 ? " on the mesh " + workload.mesh() : "",
            workload.name(),
            workload.name()));
    files.ifPresentOrElse(
        present -> appendSimulator(text, present),
        () ->
            text.append(
                "\nASTRA-sim cannot run one rank: its networks have at least 2 devices.\n"));
    appendJobs(text);
    return text.toString();
  }

  private void appendJobs(StringBuilder text) {
    if (workload.jobs().size() > 1) {
      text.append("\n| job | ranks | mesh |\n| --- | --- | --- |\n");
      workload
          .jobs()
          .forEach(
              job ->
                  text.append("| %s | %s | %s |\n".formatted(job.name(), job.ranks(), job.mesh())));
    }
    for (RankClass ranks : workload.classes()) {
      if (ranks.slowdown() != 1) {
        text.append(
            "\nRanks %s are slower by %s: their `num_ops` and `tensor_size` are multiplied by it.\n"
                .formatted(ranks.ranks(), ranks.slowdown()));
      }
    }
  }

  private void appendSimulator(StringBuilder text, AstraSimFiles present) {
    text.append(
        "| `system.json`, `network.yml`, `memory.json`, `logging.toml` | configurations of"
            + " ASTRA-sim |\n");
    if (flattened) {
      text.append(
          "| `system-1d.json`, `network-1d.yml` | the same for the congestion-aware backend: every"
              + " device on one switch, as fast as the slowest dimension |\n");
    }
    text.append("\nIn this folder, with the analytical backend of ASTRA-sim:\n\n");
    appendCommand(text, "Congestion_Unaware", "");
    if (job.groups().saidByDimension()) {
      text.append(
          """

          Collectives name dimensions of `network.yml` (`involved_dim`), whose sizes must stay. The
          congestion-aware backend has one dimension: export with `groups: members` for it.
          """);
    } else {
      text.append(
          flattened
              ? "\nThe congestion-aware one takes one dimension only, and no ring of two. Its"
                  + " switches forward whole chunks over two links, so that these have twice the"
                  + " bandwidth here:\n\n"
              : "\nor with congestion:\n\n");
      appendCommand(text, "Congestion_Aware", flattened ? "-1d" : "");
    }
    appendCompletion(text, present);
    appendReading(text);
  }

  /** The exit status tells nothing, and lines may be lost: the nodes that have run are counted. */
  private void appendCompletion(StringBuilder text, AstraSimFiles present) {
    if (present.trace()) {
      text.append(
          """

          The exit status says nothing. A run is complete when each rank has run all of its nodes; from an
          empty folder `log`,

          ```
          grep -ho 'callback,sys->id=[0-9]*' log/log*.log | sort | uniq -c
          ```

          then counts for each rank:

          | ranks | nodes |
          | --- | --- |
          """);
      ranks.forEach(
          (nodes, each) ->
              text.append("| ").append(each).append(" | ").append(nodes).append(" |\n"));
    } else {
      text.append(
          """

          The exit status says nothing. The nodes are too many for the simulator's log: a run is complete
          when there are as many lines `sys[...] finished` as ranks, which `logging.toml` has written at once.
          """);
    }
  }

  private void appendCommand(StringBuilder text, String backend, String variant) {
    String name = workload.name().matches("[\\w.-]+") ? workload.name() : quoted(workload.name());
    text.append(
        String.format(
            Locale.ROOT,
            """
            ```
            AstraSim_Analytical_%s \\
              --workload-configuration=%s \\
              --comm-group-configuration=%s.json \\
              --system-configuration=system%s.json \\
              --network-configuration=network%s.yml \\
              --remote-memory-configuration=memory.json \\
              --logging-configuration=logging.toml
            ```
            """,
            backend,
            name,
            name,
            variant,
            variant));
  }

  private static String quoted(String name) {
    return "'" + name.replace("'", "'\\''") + "'";
  }

  private void appendReading(StringBuilder text) {
    text.append(
        String.format(
            Locale.ROOT,
            """

            The step takes as long as the largest number of cycles in a line `sys[...] finished` (1 cycle = 1 ns).

            - Compute nodes cost what the roofline of `system.json` gives: %s TFLOPS and %s GB/s%s.
            - Bandwidths in `network.yml` are in GiB/s, as ASTRA-sim reads them (1 GB/s = 0.931323 GiB/s)%s.
            - The trace files must be writable: ASTRA-sim opens them so.
            - A path with the word `empty` in it means "no communicators" to ASTRA-sim.
            - On a network of one dimension ASTRA-sim may crash (`double free`) when all ranks have
              finished. `logging.toml` has it write each line at once; without it the last ones are lost.
            """,
            job.device().peakTflops(),
            job.device().memoryGbPerS(),
            job.device().known() ? "" : " (a default: no hardware was given)",
            workload.network().isEmpty()
                ? "; 50 GB/s and 500 ns are defaults, as no network was given"
                : ""));
    appendLimits(text);
  }

  /** What the simulator does otherwise than the set says. */
  private void appendLimits(StringBuilder text) {
    if (job.findings().hasMemoryMoves()) {
      text.append(
          "- Nodes that move data to the host's memory make ASTRA-sim print a critical line (`Only"
              + " GPU and COMM types are supported`) and drop its statistics of all ranks; the"
              + " cycles are complete.\n");
    }
    job.mispriced()
        .warnings()
        .forEach(each -> text.append("- ").append(each.message()).append(".\n"));
    if (job.settings().gzip()) {
      text.append(
          "- The traces are compressed. ASTRA-sim since August 2025 refuses that: `gunzip` them"
              + " first (rename to `.et.gz` before).\n");
    }
    if (job.settings().order() != Settings.Order.TOTAL) {
      text.append(
          "- The order of communication between groups is not in the traces. ASTRA-sim has one"
              + " communication slot per rank and may hang: export with `order: total` for it.\n");
    }
  }
}
