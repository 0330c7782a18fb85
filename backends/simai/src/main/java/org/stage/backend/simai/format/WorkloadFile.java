package org.stage.backend.simai.format;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A workload file: the rows of one pipeline stage for all its micro-batches.
 *
 * @param header the first line
 * @param rows in forward order
 */
public record WorkloadFile(Header header, List<Row> rows) {
  /**
   * What the first line says.
   *
   * @param tp tensor-parallel degree
   * @param ep expert-parallel degree
   * @param pp pipeline stages
   * @param vpp chunks of layers a stage has in an interleaved schedule, by which SimAI divides the
   *     bubble
   * @param ga micro-batches in a step
   * @param gpus ranks of the job
   */
  public record Header(int tp, int ep, int pp, int vpp, int ga, int gpus) {
    /**
     * Checks the figures.
     *
     * @throws IllegalArgumentException if one is below 1: SimAI divides by all of them
     */
    public Header {
      if (Math.min(Math.min(Math.min(tp, ep), Math.min(pp, vpp)), Math.min(ga, gpus)) < 1) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "tp %d ep %d pp %d vpp %d ga %d gpus %d", tp, ep, pp, vpp, ga, gpus));
      }
    }

    /**
     * The line. Transfers between stages are 0, as SimAI prices them by the overlap and not by the
     * bandwidth; it repeats from checkpoints only once, so there are none.
     */
    String line() {
      return String.format(
          Locale.ROOT,
          "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: %d ep: %d pp: %d vpp: %d ga: %d"
              + " all_gpus: %d checkpoints: 0 checkpoint_initiates: 0 pp_comm: 0",
          tp,
          ep,
          pp,
          vpp,
          ga,
          gpus);
    }
  }

  /** Copies the list. */
  public WorkloadFile {
    rows = List.copyOf(rows);
  }

  /**
   * Writes it.
   *
   * @throws IOException if that fails
   */
  public void write(Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write(header.line() + "\n" + rows.size() + "\n");
      for (Row row : rows) {
        out.write(row.line());
        out.write('\n');
      }
    }
  }
}
