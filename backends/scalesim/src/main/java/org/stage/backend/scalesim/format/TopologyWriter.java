package org.stage.backend.scalesim.format;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a GEMM topology. SCALE-Sim drops the first line and, of every row, what follows the last
 * comma: so there is a header, and every row ends with a comma.
 */
public final class TopologyWriter implements Closeable {
  private final BufferedWriter out;
  private long rows;

  /** Begins {@code file}. */
  public TopologyWriter(Path file) throws IOException {
    this.out = Files.newBufferedWriter(file);
    out.write("Layer, M, N, K,\n");
  }

  /**
   * Adds a row.
   *
   * @return its index from 0, which is all that SCALE-Sim's reports say of it
   */
  public long add(String name, Gemm gemm) throws IOException {
    out.write(Names.safe(name));
    out.write(", " + gemm.m() + ", " + gemm.n() + ", " + gemm.k() + ",\n");
    return rows++;
  }

  /** Rows so far. */
  public long rows() {
    return rows;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
