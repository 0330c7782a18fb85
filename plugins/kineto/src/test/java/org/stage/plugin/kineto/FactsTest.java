package org.stage.plugin.kineto;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.stage.api.profile.Coverage;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;
import org.stage.testkit.SharedData;

/** Real profiles hold what somebody else counted in them. */
class FactsTest {
  @TestFactory
  List<DynamicTest> aProfileHoldsWhatWasCountedInIt() throws IOException {
    Path folder = SharedData.get("data/kineto");
    JsonNode facts = new ObjectMapper().readTree(folder.resolve("facts.json").toFile());
    List<DynamicTest> tests = new ArrayList<>();
    facts
        .properties()
        .forEach(
            entry -> {
              if (entry.getValue().path("kind").textValue().equals("kineto")) {
                Path file = folder.resolve(entry.getKey());
                tests.add(
                    DynamicTest.dynamicTest(entry.getKey(), () -> check(file, entry.getValue())));
              }
            });
    assertThat(tests).hasSizeGreaterThan(15);
    return tests;
  }

  private static void check(Path file, JsonNode facts) throws IOException {
    Profile profile = Imports.read(file).profile();
    Coverage coverage = profile.coverage();
    long kernels = facts.at("/kernels/count").longValue();

    assertThat(coverage.contents().events()).isEqualTo(facts.get("n_events").longValue());
    assertThat(coverage.kernels().count()).isEqualTo(kernels);
    assertThat(coverage.kernels().totalNs()).isEqualTo(ns(facts.at("/kernels/total_us")));
    assertThat(coverage.copies().count()).isEqualTo(facts.at("/memcpy/count").longValue());
    assertThat(coverage.copies().totalNs()).isEqualTo(ns(facts.at("/memcpy/total_us")));
    assertThat(coverage.fills().count()).isEqualTo(facts.at("/memset/count").longValue());
    assertThat(coverage.fills().totalNs()).isEqualTo(ns(facts.at("/memset/total_us")));
    assertThat(coverage.launches().owned())
        .isEqualTo(facts.at("/linking/kernels_with_owning_op").longValue());
    assertThat(kernels - coverage.launches().orphans())
        .isEqualTo(facts.at("/linking/kernels_with_launch_record").longValue());
    assertThat(coverage.contents().damaged()).isZero();
    assertThat(coverage.contents().truncated()).isFalse();
    assertThat(profile.steps()).hasSize(facts.at("/steps/count").intValue());
    assertThat(profile.device().name())
        .isEqualTo(facts.path("device0").asText("").replace("null", ""));
    JsonNode rank = facts.at("/distributed/rank");
    if (!rank.isMissingNode()) {
      assertThat(profile.rank()).hasValue(rank.intValue());
    }
    assertThat(copyBytes(profile)).isEqualTo(facts.at("/memcpy/bytes").longValue());
    assertThat(collectives(profile)).isEqualTo(expectedCollectives(facts));
    assertThat(products(profile)).isEqualTo(expectedProducts(facts));
  }

  private static long copyBytes(Profile profile) {
    return profile.operators().stream()
        .filter(each -> each.kind() == Kind.COPY)
        .mapToLong(each -> each.transfer().bytes() * each.runs().size())
        .sum();
  }

  /** Count, nanoseconds and bytes by kind; of transfers between pairs all together. */
  private static Map<String, List<Long>> collectives(Profile profile) {
    Map<String, List<Long>> sums = new TreeMap<>();
    for (MeasuredOperator operator : profile.operators()) {
      if (operator.kind().isCommunication() && operator.kind() != Kind.CUSTOM_COMMUNICATION) {
        boolean pairs = List.of(Kind.SEND_RECV, Kind.ALL_TO_ALL).contains(operator.kind());
        long bytes = operator.transfer().bytes() * operator.runs().size();
        add(
            sums,
            pairs ? "send_recv(p2p|all_to_all)" : operator.kind().text(),
            List.of((long) operator.runs().size(), operator.runs().totalNs(), bytes));
      }
    }
    return sums;
  }

  private static Map<String, List<Long>> expectedCollectives(JsonNode facts) {
    Map<String, List<Long>> sums = new TreeMap<>();
    facts
        .at("/nccl/by_collective")
        .properties()
        .forEach(
            each ->
                sums.put(
                    each.getKey(),
                    List.of(
                        each.getValue().get("count").longValue(),
                        ns(each.getValue().get("total_us")),
                        each.getValue().get("in_bytes").longValue())));
    return sums;
  }

  /** Calls and nanoseconds by operator, shape and type. */
  private static Map<String, List<Long>> products(Profile profile) {
    Map<String, List<Long>> sums = new TreeMap<>();
    for (MeasuredOperator operator : profile.operators()) {
      if (operator.kind() == Kind.GEMM && operator.name().matches("aten::(addmm|b?mm|baddbmm)")) {
        MatrixShape shape = operator.shape().matrix();
        String key =
            shape.equals(MatrixShape.NONE)
                ? operator.name() + " shape-unknown"
                : String.format(
                    Locale.ROOT,
                    "%s b=%d m=%d n=%d k=%d %s",
                    operator.name(),
                    shape.batch(),
                    shape.m(),
                    shape.n(),
                    shape.k(),
                    operator.dataType());
        add(sums, key, List.of(operator.count(), operator.runs().totalNs()));
      }
    }
    return sums;
  }

  private static Map<String, List<Long>> expectedProducts(JsonNode facts) {
    Map<String, List<Long>> sums = new TreeMap<>();
    facts
        .at("/gemm_ops/by_shape")
        .properties()
        .forEach(
            each ->
                sums.put(
                    each.getKey().replace(" float", " fp32").replace(" BFloat16", " bf16"),
                    List.of(
                        each.getValue().get("ops").longValue(),
                        ns(each.getValue().get("kernel_us")))));
    return sums;
  }

  private static void add(Map<String, List<Long>> sums, String key, List<Long> values) {
    sums.merge(
        key,
        values,
        (a, b) -> {
          List<Long> both = new ArrayList<>();
          for (int i = 0; i < a.size(); i++) {
            both.add(a.get(i) + b.get(i));
          }
          return List.copyOf(both);
        });
  }

  private static long ns(JsonNode us) {
    return new BigDecimal(us.asText()).movePointRight(3).longValueExact();
  }
}
