package org.stage.cli;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.profile.Coverage;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;
import org.stage.app.Json;
import org.stage.app.ProfileResult;
import org.stage.app.ReadProfile;
import org.stage.app.ReadProfile.Product;
import org.stage.app.ReadProfile.Sum;

/** What {@code stage profile --json} prints. */
final class ProfileJson {
  private ProfileJson() {}

  static Map<String, Object> of(ProfileResult result) {
    List<Object> across = new ArrayList<>();
    result
        .acrossRanks()
        .forEach(
            (kind, sum) ->
                across.add(
                    Json.object(
                        "kind", kind.text(),
                        "instances", sum.count(),
                        "min_over_ranks_us", us(sum.totalNs()))));
    List<Map<String, Object>> files = result.profiles().stream().map(ProfileJson::file).toList();
    return Json.object("files", files, "collectives_across_ranks", across);
  }

  private static Map<String, @Nullable Object> file(ReadProfile read) {
    Profile profile = read.profile();
    Coverage coverage = profile.coverage();
    List<Map<String, Object>> products =
        read.products().stream().map(each -> product(each.getKey(), each.getValue())).toList();
    List<String> warnings =
        read.notes().stream()
            .filter(note -> note.severity() != Severity.NOTE)
            .map(note -> Diagnostic.warning("", note.message(), note.remedy()).toString())
            .toList();
    return Json.object(
        "file", profile.source(),
        "importer", read.importer(),
        "rank", read.rank(),
        "device", profile.device().name().isEmpty() ? null : profile.device().name(),
        "steps", profile.steps().size(),
        "kernels", total(coverage.kernels().count(), coverage.kernels().totalNs()),
        "memcpy", total(coverage.copies().count(), coverage.copies().totalNs()),
        "owned_kernels", coverage.launches().owned(),
        "orphan_kernels", coverage.launches().orphans(),
        "collectives", collectives(read),
        "gemms", products,
        "damaged_events", coverage.contents().damaged(),
        "truncated", coverage.contents().truncated(),
        "warnings", warnings);
  }

  private static Map<String, @Nullable Object> total(long count, long nanos) {
    return Json.object("count", count, "total_us", us(nanos));
  }

  /** Nanoseconds as microseconds, exactly. */
  private static BigDecimal us(long nanos) {
    BigDecimal us = BigDecimal.valueOf(nanos, 3).stripTrailingZeros();
    return us.scale() < 0 ? us.setScale(0) : us;
  }

  private static Map<String, Object> collectives(ReadProfile read) {
    Map<String, Object> collectives = new LinkedHashMap<>();
    read.kinds()
        .forEach(
            (kind, sum) -> {
              if (kind.isCommunication()) {
                Map<String, @Nullable Object> fields = total(sum.count(), sum.totalNs());
                fields.put("bytes", sum.bytesKnown() ? sum.bytes() : null);
                collectives.put(kind.text(), fields);
              }
            });
    return collectives;
  }

  private static Map<String, @Nullable Object> product(Product product, Sum sum) {
    MatrixShape shape = product.shape();
    boolean known = !shape.equals(MatrixShape.NONE);
    return Json.object(
        "op", product.name(),
        "batch", known ? shape.batch() : null,
        "m", known ? shape.m() : null,
        "n", known ? shape.n() : null,
        "k", known ? shape.k() : null,
        "dtype", product.dataType().isEmpty() ? null : torchName(product.dataType()),
        "count", sum.count(),
        "total_us", us(sum.totalNs()));
  }

  /** As PyTorch calls its types. */
  private static String torchName(String dataType) {
    return switch (dataType) {
      case "bf16" -> "bfloat16";
      case "fp16" -> "float16";
      case "fp32" -> "float32";
      case "fp8" -> "float8";
      default -> dataType;
    };
  }
}
