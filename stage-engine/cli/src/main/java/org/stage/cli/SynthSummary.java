package org.stage.cli;

import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.stage.analyze.Analysis;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.host.ExportRun;

/** The short table with which {@code stage synth} ends. */
final class SynthSummary {
  private final List<Analysis> analyses;
  private final Workload workload;
  private final RankSet wanted;
  private final List<ExportRun.Result> results = new ArrayList<>();

  /**
   * A summary without results.
   *
   * @param analyses one for each job, in the order given
   * @param workload that of all jobs
   */
  SynthSummary(List<Analysis> analyses, Workload workload, RankSet wanted) {
    this.analyses = List.copyOf(analyses);
    this.workload = workload;
    this.wanted = wanted;
  }

  void add(ExportRun.Result result) {
    results.add(result);
  }

  void print(PrintWriter out, long nanos) {
    int ranks = workload.mesh().devices();
    analyses.forEach(
        job -> line(out, "workload", job.model() + " on " + AnalysisText.devices(job)));
    line(out, "ranks", ranks(ranks, wanted));
    line(out, "classes", Units.count(workload.classes().size()));
    workload.classes().stream()
        .filter(each -> each.slowdown() != 1)
        .forEach(each -> line(out, "slow ranks", each.ranks() + ", " + each.slowdown() + " times"));
    line(out, "nodes", Units.count(sum(Analysis::totalNodes)));
    line(out, "FLOPs", Units.flops(sum(Analysis::totalFlops)));
    line(out, "traffic", Units.bytes(sum(Analysis::totalTrafficBytes)));
    long peak = analyses.stream().mapToLong(Analysis::peakMemoryBytes).max().orElse(0);
    line(out, "peak memory per rank", Units.bytes(peak));
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

  private BigInteger sum(Function<Analysis, BigInteger> figure) {
    return analyses.stream().map(figure).reduce(BigInteger.ZERO, BigInteger::add);
  }

  static void line(PrintWriter out, String what, String value) {
    out.println(what + " ".repeat(22 - what.length()) + value);
  }
}
