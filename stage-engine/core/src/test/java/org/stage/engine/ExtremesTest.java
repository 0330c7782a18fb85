package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analysis;
import org.stage.api.diagnostic.InputException;
import org.stage.workloadfile.WorkloadReader;

/** Numbers at the ends of their ranges give figures, or a message; never a fault of the engine. */
class ExtremesTest {
  private static final String LARGE =
      "{model: gpt-3-175b, mesh: {tp: 8, pp: 8},"
          + " training: {global_batch: 1048576, seq: 2048, micro_batch: 65536}}";

  private static final String SMALL =
      "{model: {family: llama, layers: 2, hidden: 64, heads: 4, ffn: 128, vocab: 512, experts: 4,"
          + " experts_per_token: 2, expert_ffn: 32}, mesh: {dp: 2},"
          + " training: {global_batch: 65536, micro_batch: 32768, seq: 16777216, zero: 1}}";

  /** Of these a graph has as many parts as they say. */
  private static final Set<String> COUNTED = Set.of("model.layers", "model.experts");

  static List<String> extremes() throws IOException {
    JsonNode schema = new ObjectMapper().readTree(WorkloadReader.schema());
    List<String> extremes = new ArrayList<>();
    for (String section : List.of("model", "training")) {
      addExtremes(section, schema.at("/properties/" + section), extremes);
    }
    return extremes;
  }

  private static void addExtremes(String path, JsonNode schema, List<String> extremes) {
    schema.path("anyOf").forEach(each -> addExtremes(path, each, extremes));
    schema
        .path("properties")
        .properties()
        .forEach(each -> addExtremes(path + "." + each.getKey(), each.getValue(), extremes));
    for (String end : List.of("minimum", "maximum")) {
      if (!COUNTED.contains(path) && schema.has(end)) {
        extremes.add(path + "=" + schema.get(end).asText());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("extremes")
  void anEndOfARangeGivesFiguresOrAMessage(String change) {
    try {
      Synthesis synthesis = Jobs.job(SMALL, change);
      Analysis analysis = synthesis.analysis();
      assertThat(analysis.peakMemoryBytes()).isPositive();
      assertThat(synthesis.memoryTimelines()).isNotEmpty();
      synthesis.advice(analysis);
      assertThat(synthesis.workload().classes().get(0).graph().nodes()).isNotEmpty();
    } catch (InputException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  @Test
  void figuresBeyond63BitsAreRefusedByTheKeysThatMakeThem() {
    Synthesis synthesis = Jobs.job(LARGE);
    assertThatThrownBy(synthesis::analysis)
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(
            "training.micro_batch: 65536 sequences of 2048 tokens through gpt-3-175b make figures of"
                + " one rank and step beyond 63 bits");
  }
}
