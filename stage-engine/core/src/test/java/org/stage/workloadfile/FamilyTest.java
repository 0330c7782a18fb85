package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FamilyTest {
  static List<String> families() {
    return ((KeyType.OneOf) Keys.at("model.family").type()).now();
  }

  private static SourceNode.Fields map(String yaml) {
    return (SourceNode.Fields) TreeReader.read("family.yaml", yaml);
  }

  /** Of what a user says. */
  private static ModelFacts facts(String family, String model) {
    return new ModelFacts(new Values(map("{model: {" + model + "}}")), Family.of(family));
  }

  @ParameterizedTest
  @MethodSource("families")
  void eachFamilyOfTheTableHasAFile(String name) {
    assertThat(Family.of(name).maps("runs")).isNotEmpty();
  }

  @Test
  void aFamilySaysWhatEachLayerIs() {
    SourceNode runs = map("{runs: [{layers: 3, dense: mlp}]}").fields().get("runs");
    Family family = new Family("three", Family.of("gpt").sections().with("runs", runs));
    String keys = "{model: {family: gpt, layers: %d, hidden: 4, heads: 2, vocab: 8}}";
    assertThat(new ModelReader(new Values(map(keys.formatted(2))), family).read().layers())
        .isEqualTo(2);
    assertThatThrownBy(() -> new ModelReader(new Values(map(keys.formatted(5))), family).read())
        .hasMessage("the runs of family three leave out 2 layers");
  }

  @Test
  void aFamilySaysWhatDiffersFromTheOneThatItIsLike() {
    Family own = Family.of("alternating");
    assertThat(own.cases("mixer").get(0).is().text()).isEqualTo("'linear_attention'");
    assertThat(own.maps("runs")).hasSize(3);
    assertThat(own.entries("required")).isEqualTo(Family.of("decoder").entries("required"));
    assertThat(own.entries("defaults").keySet())
        .containsAll(Family.of("decoder").entries("defaults").keySet())
        .contains("ffn");
  }

  @ParameterizedTest
  @CsvSource({
    "gpt,   heads: 6,                                  kv_heads, 6",
    "palm,  heads: 6,                                  kv_heads, 1",
    "gpt,   'heads: 6, kv_heads: 2',                   kv_heads, 2",
    "gpt,   hidden: 12,                                ffn,      48",
    "gpt,   'hidden: 13, heads: 6',                    head_dim, 2",
    "llama, 'kv_latent: 5, plain_dim: 7, rotary_dim: 3', head_dim, 10",
    "llama, heads: 2,                                  ffn,      ''",
    "llama, 'hidden: 4, experts: 8',                   ffn,      16",
    "llama, 'hidden: 4, experts: 8, dense_layers: 1',  ffn,      ''",
    "gpt,   heads: 2,                                  norm,     layernorm",
    "llama, heads: 2,                                  norm,     rmsnorm",
    "gpt,   heads: 2,                                  qkv_bias, true",
    "gpt,   bias: false,                               qkv_bias, false",
    "gpt,   'bias: false, qkv_bias: true',             qkv_bias, true",
    "llama, heads: 2,                                  name,     custom",
    "llama, heads: 2,                                  dense_layers, 0"
  })
  void whatIsNotSaidFollowsFromFamilyAndOtherKeys(
      String family, String model, String key, String value) {
    assertThat(facts(family, model).word(key)).isEqualTo(value);
    assertThat(facts(family, model).has(key)).isEqualTo(!value.isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "'{when: {heads: 2}}',                              true",
    "'{when: {heads: 3}}',                              false",
    "'{when: {heads: 2, hidden: 9}}',                   false",
    "'{when: [{heads: 3}, {hidden: 8}]}',               true",
    "'{when: [{heads: 3}, {hidden: 9}]}',               false",
    "'{when: {experts: none}}',                         true",
    "'{when: {experts: given}}',                        false",
    "'{when: {heads: given}}',                          true",
    "'{when: {shared_experts: above 0}}',               false",
    "'{when: {positions: above 0}}',                    true",
    "'{when: {norm: layernorm, bias: true}}',           true",
    "'{when: {}}',                                      true",
    "'{is: 3}',                                         true"
  })
  void aConditionHoldsOfWhatIsSaidAndWhatFollows(String item, boolean holds) {
    ModelFacts facts = facts("gpt", "heads: 2, hidden: 8, positions: 7");
    assertThat(facts.holds(Family.when(map(item)))).isEqualTo(holds);
  }
}
