package org.stage.cli;

import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;
import org.stage.analyze.Analysis;
import org.stage.api.workload.Workload;
import org.stage.app.ExportResult;
import org.stage.app.SynthResult;
import org.stage.host.ExportRun;

/** The short table with which {@code stage synth} ends. */
final class SynthSummary {
  private SynthSummary() {}

  static void print(PrintWriter out, SynthResult result, long nanos) {
    List<Analysis> analyses = result.analyses();
    Workload workload = result.exported().workload();
    analyses.forEach(
        job -> line(out, "workload", job.model() + " on " + AnalysisText.devices(job)));
    printRanks(out, result.exported());
    workload.classes().stream()
        .filter(each -> each.slowdown() != 1)
        .forEach(each -> line(out, "slow ranks", each.ranks() + ", " + each.slowdown() + " times"));
    line(out, "nodes", Units.count(sum(analyses, Analysis::totalNodes)));
    line(out, "FLOPs", Units.flops(sum(analyses, Analysis::totalFlops)));
    line(out, "traffic", Units.bytes(sum(analyses, Analysis::totalTrafficBytes)));
    long peak = analyses.stream().mapToLong(Analysis::peakMemoryBytes).max().orElse(0);
    line(out, "peak memory per rank", Units.bytes(peak));
    printFiles(out, result.exported(), nanos);
  }

  /** How many ranks and classes there are, and of how many ranks the files were wanted. */
  static void printRanks(PrintWriter out, ExportResult exported) {
    int ranks = exported.workload().mesh().devices();
    int wanted = exported.ranks().size();
    String part = wanted == ranks ? "" : ", of which " + Units.count(wanted) + " exported";
    line(out, "ranks", Units.count(ranks) + part);
    line(out, "classes", Units.count(exported.workload().classes().size()));
  }

  /** What was written, where, and how long it took. */
  static void printFiles(PrintWriter out, ExportResult exported, long nanos) {
    List<ExportRun.Result> exports = exported.exports();
    line(out, "files", Units.count(exports.stream().mapToLong(ExportRun.Result::files).sum()));
    line(out, "bytes", Units.count(exports.stream().mapToLong(ExportRun.Result::bytes).sum()));
    line(out, "seconds", Units.seconds(nanos));
    exports.forEach(each -> line(out, "written to", each.directory().toString()));
  }

  private static BigInteger sum(List<Analysis> analyses, Function<Analysis, BigInteger> figure) {
    return analyses.stream().map(figure).reduce(BigInteger.ZERO, BigInteger::add);
  }

  static void line(PrintWriter out, String what, String value) {
    out.println(what + " ".repeat(22 - what.length()) + value);
  }
}
