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
import org.stage.app.ProfileResult;
import org.stage.app.ReadProfile;
import org.stage.app.ReadProfile.Product;
import org.stage.app.ReadProfile.Sum;

/** What {@code stage profile --json} prints. */
final class ProfileJson {
  private ProfileJson() {}

  static Map<String, Object> of(ProfileResult result) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("files", result.profiles().stream().map(ProfileJson::file).toList());
    List<Map<String, Object>> across = new ArrayList<>();
    result
        .acrossRanks()
        .forEach(
            (kind, sum) -> {
              Map<String, Object> fields = new LinkedHashMap<>();
              fields.put("kind", kind.text());
              fields.put("instances", sum.count());
              fields.put("min_over_ranks_us", us(sum.totalNs()));
              across.add(fields);
            });
    all.put("collectives_across_ranks", across);
    return all;
  }

  private static Map<String, @Nullable Object> file(ReadProfile read) {
    Profile profile = read.profile();
    Coverage coverage = profile.coverage();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("file", profile.source());
    fields.put("importer", read.importer());
    fields.put("rank", read.rank());
    fields.put("device", profile.device().name().isEmpty() ? null : profile.device().name());
    fields.put("steps", profile.steps().size());
    fields.put("kernels", total(coverage.kernels(), coverage.kernelNs()));
    fields.put("memcpy", total(coverage.copies(), coverage.copyNs()));
    fields.put("owned_kernels", coverage.owned());
    fields.put("orphan_kernels", coverage.orphans());
    fields.put("collectives", collectives(read));
    fields.put(
        "gemms",
        read.products().stream().map(each -> product(each.getKey(), each.getValue())).toList());
    fields.put("damaged_events", coverage.damaged());
    fields.put("truncated", coverage.truncated());
    fields.put(
        "warnings",
        read.notes().stream()
            .filter(note -> note.severity() != Severity.NOTE)
            .map(note -> Diagnostic.warning("", note.message(), note.remedy()).toString())
            .toList());
    return fields;
  }

  private static Map<String, @Nullable Object> total(long count, long nanos) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("count", count);
    fields.put("total_us", us(nanos));
    return fields;
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
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("op", product.name());
    fields.put("batch", known ? shape.batch() : null);
    fields.put("m", known ? shape.m() : null);
    fields.put("n", known ? shape.n() : null);
    fields.put("k", known ? shape.k() : null);
    fields.put("dtype", product.dataType().isEmpty() ? null : torchName(product.dataType()));
    fields.put("count", sum.count());
    fields.put("total_us", us(sum.totalNs()));
    return fields;
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
