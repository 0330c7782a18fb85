package org.stage.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.stage.analyze.Analysis;
import org.stage.api.workload.RankSet;
import org.stage.host.ExportRun;

/** The short table with which {@code stage synth} ends. */
final class SynthSummary {
  private final Analysis analysis;
  private final RankSet wanted;
  private final List<ExportRun.Result> results = new ArrayList<>();

  SynthSummary(Analysis analysis, RankSet wanted) {
    this.analysis = analysis;
    this.wanted = wanted;
  }

  void add(ExportRun.Result result) {
    results.add(result);
  }

  void print(PrintWriter out, long nanos) {
    int ranks = analysis.mesh().devices();
    line(out, "workload", analysis.model() + " on " + AnalysisText.devices(analysis));
    line(out, "ranks", ranks(ranks, wanted));
    line(out, "classes", Units.count(analysis.classes().size()));
    line(out, "nodes", Units.count(analysis.totalNodes()));
    line(out, "FLOPs", Units.flops(analysis.totalFlops()));
    line(out, "traffic", Units.bytes(analysis.totalTrafficBytes()));
    line(out, "peak memory per rank", Units.bytes(analysis.peakMemoryBytes()));
    printFiles(out, results, nanos);
  }

  /** How many ranks there are, and of how many the files were wanted. */
  static String ranks(int ranks, RankSet wanted) {
    return Units.count(ranks)
        + (wanted.size() == ranks ? "" : ", of which " + Units.count(wanted.size()) + " exported");
  }

  /** What was written, where, and how long it took. */
  static void printFiles(PrintWriter out, List<ExportRun.Result> results, long nanos) {
    long files = results.stream().mapToLong(ExportRun.Result::files).sum();
    long bytes = results.stream().mapToLong(ExportRun.Result::bytes).sum();
    line(out, "files", Units.count(files));
    line(out, "bytes", Units.count(bytes));
    line(out, "seconds", Units.seconds(nanos));
    for (ExportRun.Result result : results) {
      line(out, "written to", result.directory().toString());
    }
  }

  static void line(PrintWriter out, String what, String value) {
    out.println(what + " ".repeat(22 - what.length()) + value);
  }
}
