package org.stage.cli;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.stage.analyze.Analysis;
import org.stage.api.workload.Workload;
import org.stage.app.CalibrationJson;
import org.stage.app.ConvertResult;
import org.stage.app.ExportResult;
import org.stage.app.Json;
import org.stage.app.SynthResult;
import org.stage.host.ExportRun;

/** What {@code stage synth} and {@code stage convert} say in their tables, for scripts. */
final class ResultJson {
  private ResultJson() {}

  static Map<String, @Nullable Object> of(SynthResult result, long nanos) {
    List<Analysis> jobs = result.analyses();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("workloads", jobs.stream().map(AnalysisJson::job).toList());
    fields.putAll(ranks(result.exported()));
    fields.put("nodes", sum(jobs, Analysis::totalNodes));
    fields.put("flops", sum(jobs, Analysis::totalFlops));
    fields.put("traffic_bytes", sum(jobs, Analysis::totalTrafficBytes));
    long peak = jobs.stream().mapToLong(Analysis::peakMemoryBytes).max().orElse(0);
    fields.put("peak_memory_bytes", peak);
    fields.putAll(files(result.exported(), nanos));
    if (!result.calibrations().isEmpty()) {
      fields.put("calibrations", result.calibrations().stream().map(CalibrationJson::of).toList());
    }
    return fields;
  }

  static Map<String, @Nullable Object> of(ConvertResult result, long nanos) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("workload", result.exported().workload().name());
    fields.put("format", result.format());
    fields.putAll(ranks(result.exported()));
    fields.put("nodes", result.exported().exports().get(0).report().nodes());
    fields.putAll(files(result.exported(), nanos));
    return fields;
  }

  private static Map<String, @Nullable Object> ranks(ExportResult exported) {
    Workload workload = exported.workload();
    List<Map<String, @Nullable Object>> slow =
        workload.classes().stream()
            .filter(each -> each.slowdown() != 1)
            .map(
                each ->
                    Json.object(
                        "ranks", each.ranks().toString(),
                        "factor", BigDecimal.valueOf(each.slowdown())))
            .toList();
    return Json.object(
        "ranks", workload.mesh().devices(),
        "exported_ranks", exported.ranks().size(),
        "classes", workload.classes().size(),
        "slow_ranks", slow);
  }

  private static Map<String, @Nullable Object> files(ExportResult exported, long nanos) {
    return Json.object(
        "seconds", BigDecimal.valueOf(nanos / 1_000_000, 3),
        "exports", exported.exports().stream().map(ResultJson::export).toList());
  }

  private static Map<String, @Nullable Object> export(ExportRun.Result each) {
    return Json.object(
        "directory", each.directory().toString(), "files", each.files(), "bytes", each.bytes());
  }

  private static BigInteger sum(List<Analysis> jobs, Function<Analysis, BigInteger> figure) {
    return jobs.stream().map(figure).reduce(BigInteger.ZERO, BigInteger::add);
  }
}
