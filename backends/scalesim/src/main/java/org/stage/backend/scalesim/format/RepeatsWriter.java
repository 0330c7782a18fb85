package org.stage.backend.scalesim.format;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes what a topology cannot say: how often each row occurs, where, and what it costs. */
public final class RepeatsWriter implements Closeable {
  /** The columns, in order. */
  public static final List<String> COLUMNS =
      List.of(
          "row",
          "rows",
          "layer",
          "M",
          "N",
          "K",
          "count",
          "phase",
          "operator",
          "product",
          "of",
          "per_kernel",
          "flops",
          "cycles",
          "elapsed_cycles");

  private final BufferedWriter out;

  /** Begins {@code file}. */
  public RepeatsWriter(Path file) throws IOException {
    this.out = Files.newBufferedWriter(file);
    out.write(String.join(",", COLUMNS) + "\n");
  }

  /**
   * A line.
   *
   * @param row the first row of the topology that it tells of, from 0
   * @param rows how many rows from there on
   * @param layer the module, without micro-batch and layer number
   * @param gemm the shape of those rows
   * @param count how often it is computed in one step of one rank, on all arrays together
   * @param phase the part of the step
   * @param operator the kernel
   * @param product which of the kernel's products
   * @param of what the equal products within a kernel are for: head, expert, product
   * @param perKernel how many of them a kernel has, before it is split over arrays
   * @param flops of all {@code count}
   * @param cycles of one
   * @param elapsedCycles of all, one after the other, on the array that has most of them
   */
  public record Line(
      long row,
      long rows,
      String layer,
      Gemm gemm,
      long count,
      String phase,
      String operator,
      String product,
      String of,
      long perKernel,
      long flops,
      long cycles,
      long elapsedCycles) {}

  /** Adds {@code line}. */
  public void add(Line line) throws IOException {
    List<Object> values =
        List.of(
            line.row,
            line.rows,
            field(line.layer),
            line.gemm.m(),
            line.gemm.n(),
            line.gemm.k(),
            line.count,
            field(line.phase),
            field(line.operator),
            field(line.product),
            field(line.of),
            line.perKernel,
            line.flops,
            line.cycles,
            line.elapsedCycles);
    out.write(String.join(",", values.stream().map(String::valueOf).toList()));
    out.write('\n');
  }

  /** So that nobody needs to unquote. */
  private static String field(String text) {
    return text.replaceAll("[\",\\p{Cntrl}]", "_");
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
