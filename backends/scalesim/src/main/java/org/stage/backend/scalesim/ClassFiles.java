package org.stage.backend.scalesim;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.RankClass;
import org.stage.backend.scalesim.Splitter.Share;
import org.stage.backend.scalesim.format.Gemm;
import org.stage.backend.scalesim.format.Names;
import org.stage.backend.scalesim.format.RepeatsWriter;
import org.stage.backend.scalesim.format.SystolicArray;
import org.stage.backend.scalesim.format.TopologyWriter;

/** Writes the topology of one class of ranks with its side file; for one use. */
final class ClassFiles {
  /** SCALE-Sim keeps its reports in memory; nobody waits for that many rows. */
  static final long MAX_ROWS = 1_000_000;

  private final Settings settings;
  private final SystolicArray array;
  private final Map<Gemm, Long> rowOf = new HashMap<>();
  private final Set<String> names = new HashSet<>();
  private final Map<String, Long> cyclesByPhase = new TreeMap<>();
  private long elapsed;
  private long largestMatrix;
  private double simulatorBytes;

  ClassFiles(Settings settings) {
    this.settings = settings;
    this.array = settings.target().array();
  }

  /**
   * Writes both files.
   *
   * @throws ArithmeticException if a sum does not fit 63 bits
   */
  ClassResult write(Path directory, String name, RankClass ranks, ClassTally tally)
      throws IOException {
    String stem = name + ".rank" + ranks.ranks().first();
    try (TopologyWriter topology = new TopologyWriter(directory.resolve(stem + ".csv"));
        RepeatsWriter repeats = new RepeatsWriter(directory.resolve(stem + ".repeats.csv"))) {
      for (Map.Entry<Work, Long> each : tally.kernels().entrySet()) {
        Work work = each.getKey();
        for (Share share : settings.splitter().split(work.gemm(), work.perKernel())) {
          repeats.add(line(topology, work, share, each.getValue()));
        }
      }
      return new ClassResult(
          stem + ".csv",
          ranks.stage(),
          ranks.ranks(),
          tally,
          topology.rows(),
          new ClassResult.Cycles(elapsed, cyclesByPhase),
          new ClassResult.Need(largestMatrix, simulatorBytes));
    }
  }

  private RepeatsWriter.Line line(TopologyWriter topology, Work work, Share share, long kernels)
      throws IOException {
    Gemm gemm = share.gemm();
    long count = Math.multiplyExact(share.count(), kernels);
    long cycles = array.cycles(gemm);
    long line = Math.multiplyExact(cycles, Math.multiplyExact(share.inSequence(), kernels));
    elapsed = Math.addExact(elapsed, line);
    cyclesByPhase.merge(work.phase(), line, Math::addExact);
    largestMatrix = Math.max(largestMatrix, gemm.largestMatrix());
    simulatorBytes = Math.max(simulatorBytes, array.simulatorBytes(gemm));
    long row = settings.expand() ? rows(topology, work, gemm, count) : row(topology, work, gemm);
    return new RepeatsWriter.Line(
        new RepeatsWriter.Rows(row, settings.expand() ? count : 1),
        gemm,
        count,
        new RepeatsWriter.Kernel(work.layer(), work.phase(), work.operator()),
        new RepeatsWriter.Part(work.product(), work.unit(), work.perKernel()),
        new RepeatsWriter.Cost(Math.multiplyExact(gemm.flops(), count), cycles, line));
  }

  /** The row of that shape, new or known. */
  private long row(TopologyWriter topology, Work work, Gemm gemm) throws IOException {
    Long known = rowOf.get(gemm);
    if (known != null) {
      return known;
    }
    long row = topology.add(unique(work), gemm);
    rowOf.put(gemm, row);
    return row;
  }

  /** A row for each instance; returns the first. */
  private long rows(TopologyWriter topology, Work work, Gemm gemm, long count) throws IOException {
    long first = topology.rows();
    if (count > MAX_ROWS - first) {
      throw new InputException(
          "exports.scalesim.expand",
          "there are more than " + MAX_ROWS + " products in a step",
          "Leave it out: each shape is then one row, with a count.");
    }
    String name = unique(work);
    for (long i = 1; i <= count; i++) {
      topology.add(name + "-" + i, gemm);
    }
    return first;
  }

  private String unique(Work work) {
    String name = Names.safe(work.rowName());
    String candidate = name;
    for (int i = 2; !names.add(candidate); i++) {
      candidate = name + "_" + i;
    }
    return candidate;
  }
}
