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
   * @param rows the rows of the topology that it tells of
   * @param gemm the shape of those rows
   * @param count how often it is computed in one step of one rank, on all arrays together
   * @param kernel the kernel that it is of
   * @param part what part of the kernel it is
   * @param cost what it costs
   */
  public record Line(Rows rows, Gemm gemm, long count, Kernel kernel, Part part, Cost cost) {}

  /**
   * Rows of the topology.
   *
   * @param first the first, from 0
   * @param count how many from there on
   */
  public record Rows(long first, long count) {}

  /**
   * A kernel.
   *
   * @param layer the module, without micro-batch and layer number
   * @param phase the part of the step
   * @param operator its name
   */
  public record Kernel(String layer, String phase, String operator) {}

  /**
   * Equal products within a kernel.
   *
   * @param product which of the kernel's products
   * @param of what they are for: head, expert, product
   * @param perKernel how many of them a kernel has, before it is split over arrays
   */
  public record Part(String product, String of, long perKernel) {}

  /**
   * What a line costs.
   *
   * @param flops of all products
   * @param cycles of one
   * @param elapsedCycles of all, one after the other, on the array that has most of them
   */
  public record Cost(long flops, long cycles, long elapsedCycles) {}

  /** Adds {@code line}. */
  public void add(Line line) throws IOException {
    List<Object> values =
        List.of(
            line.rows.first,
            line.rows.count,
            field(line.kernel.layer),
            line.gemm.m(),
            line.gemm.n(),
            line.gemm.k(),
            line.count,
            field(line.kernel.phase),
            field(line.kernel.operator),
            field(line.part.product),
            field(line.part.of),
            line.part.perKernel,
            line.cost.flops,
            line.cost.cycles,
            line.cost.elapsedCycles);
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
