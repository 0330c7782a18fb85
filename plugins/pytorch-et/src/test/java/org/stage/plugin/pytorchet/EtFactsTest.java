package org.stage.plugin.pytorchet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.workload.MatrixShape;
import org.stage.testkit.SharedData;

/** Real execution traces hold what somebody else counted in them. */
class EtFactsTest {
  @TestFactory
  List<DynamicTest> anExecutionTraceHoldsWhatWasCountedInIt() throws IOException {
    Path folder = SharedData.get("data/kineto");
    JsonNode facts = new ObjectMapper().readTree(folder.resolve("facts.json").toFile());
    List<DynamicTest> tests = new ArrayList<>();
    facts
        .properties()
        .forEach(
            entry -> {
              if (entry.getValue().path("kind").textValue().equals("execution_trace")) {
                Path file = folder.resolve(entry.getKey());
                tests.add(
                    DynamicTest.dynamicTest(entry.getKey(), () -> check(file, entry.getValue())));
              }
            });
    assertThat(tests).hasSizeGreaterThan(10);
    return tests;
  }

  private static void check(Path file, JsonNode facts) throws IOException {
    assertThat(new PyTorchEtImporter().accepts(file)).isTrue();
    Profile profile = Imports.read(file).profile();

    assertThat(profile.coverage().contents().events()).isEqualTo(facts.get("nodes").longValue());
    assertThat(profile.coverage().contents().truncated()).isFalse();
    Map<String, Long> expected = new TreeMap<>();
    facts
        .at("/gemm_ops/by_shape")
        .properties()
        .forEach(each -> expected.put(each.getKey(), each.getValue().longValue()));
    assertThat(products(profile)).isEqualTo(expected);
    JsonNode broadcasts = facts.at("/record_param_comms/collectives/broadcast");
    if (!broadcasts.isMissingNode()) {
      assertThat(count(profile, Kind.BROADCAST)).isEqualTo(broadcasts.longValue());
    }
  }

  private static long count(Profile profile, Kind kind) {
    return profile.operators().stream()
        .filter(each -> each.kind() == kind)
        .mapToLong(MeasuredOperator::count)
        .sum();
  }

  private static Map<String, Long> products(Profile profile) {
    Map<String, Long> sums = new TreeMap<>();
    for (MeasuredOperator operator : profile.operators()) {
      if (operator.kind() == Kind.GEMM) {
        MatrixShape shape = operator.shape().matrix();
        String key =
            String.format(
                Locale.ROOT,
                "%s b=%d m=%d n=%d k=%d",
                operator.name(),
                shape.batch(),
                shape.m(),
                shape.n(),
                shape.k());
        sums.merge(key, operator.count(), Long::sum);
      }
    }
    return sums;
  }

  @Test
  void collectivesOfOldTracesHaveTheirBytes() throws IOException {
    Path folder = SharedData.get("data/kineto").resolve("cuda_v100_dlrm_8rank");

    Profile profile = Imports.read(folder.resolve("et_rank0_schema1.0.1.json.gz")).profile();

    assertThat(count(profile, Kind.ALL_TO_ALL)).isEqualTo(5);
    assertThat(profile.operators())
        .filteredOn(each -> each.kind() == Kind.ALL_TO_ALL)
        .allMatch(each -> each.transfer().bytes() > 0);
  }

  @Test
  void eightRanksAreFoundInTheirProfilesByTheOrderOfNames() throws IOException {
    Path folder = SharedData.get("data/kineto").resolve("cuda_v100_dlrm_8rank");
    for (int rank = 0; rank < 8; rank++) {
      Path et = folder.resolve("et_rank" + rank + "_schema1.0.1.json.gz");
      List<Path> profiles = new ArrayList<>();
      for (int other = 0; other < 8; other++) {
        profiles.add(folder.resolve("rank" + other + ".pt.trace.json.gz"));
      }

      Imported imported = Imports.read(et, profiles.toArray(Path[]::new));

      assertThat(imported.profile().rank()).hasValue(rank);
      assertThat(imported.profile().coverage().kernels().count()).isGreaterThan(200);
      assertThat(imported.notes().toString())
          .containsPattern(
              "16(6[89]|7\\d) of its 1675 calls were found in the profile, by the order");
    }
  }
}
