package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.InputException;

/** Each key that changes nothing in a job is said: warned of, or refused. */
class IdleKeysTest {
  private static final String DENSE =
      "{model: {family: llama, layers: 4, hidden: 64, heads: 8, ffn: 128, vocab: 1024}, mesh: {%s},"
          + " training: {global_batch: 16, seq: 64}}";
  private static final String EXPERTS =
      "{model: {family: llama, layers: 4, hidden: 64, heads: 8, vocab: 1024, experts: 4,"
          + " experts_per_token: 2, expert_ffn: 32}, mesh: {%s}, training: {global_batch: 16, seq: 64}}";

  private static List<String> said(String job, String mesh, String... settings) {
    Synthesis synthesis = Jobs.job(job.formatted(mesh), settings);
    return synthesis.advice(synthesis.analysis()).stream().map(Object::toString).toList();
  }

  /** The key; where it is idle; where it is not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "training.zero_group=2 | dp: 4 | training.zero=0 | dp: 4 | training.zero=1",
        "training.zero_regather=all | dp: 4 | training.zero=2 | dp: 4 | training.zero=3",
        "training.prefetch=2 | dp: 4 | training.zero=1 | dp: 4 | training.zero=3",
        "training.keep_gathered=true | dp: 2 | training.zero=0 | tp: 2 | training.zero=0",
        "training.tp_collectives=fp32 | dp: 2 | training.zero=0 | tp: 2 | training.zero=0",
        "training.embedding_output=all-reduce | tp: 2 | training.sequence_parallel=false | tp: 2 |"
            + " training.sequence_parallel=true",
        "training.layers_per_stage=[4] | dp: 2 | training.zero=0 | '' | ''",
        "training.bucket_mb=1 | tp: 2 | training.zero=0 | dp: 2 | training.zero=0",
        "training.gradients=precision | dp: 2 | training.precision=fp32 | dp: 2 |"
            + " training.precision=bf16",
        "mesh.ep_in_dp=true | dp: 2 | training.zero=0 | '' | ''",
        "mesh.order=[dp, tp, pp] | tp: 2 | training.zero=0 | tp: 2, dp: 2 | training.zero=0",
        "training.expert_gates=activation | dp: 2 | training.zero=0 | '' | ''",
        "training.expert_dispatch=fp8 | dp: 2 | training.precision=fp8 | '' | ''",
        "rules.expert=none | dp: 2 | training.zero=0 | '' | ''",
        "rules.expert_mlp=none | tp: 2 | training.zero=0 | '' | ''",
        "rules.shared_mlp=none | tp: 2 | training.zero=0 | '' | ''",
        "training.offload=optimizer | dp: 2 | training.optimizer=sgd | dp: 2 |"
            + " training.optimizer=adam"
      })
  void aKeyWithoutEffectIsWarnedOf(
      String setting, String mesh, String idle, String other, String useful) {
    String key = setting.substring(0, setting.indexOf('='));
    String alone = key.equals("training.offload") ? "training.precision=fp32" : "name=w";
    assertThat(said(DENSE, mesh, idle, alone, setting))
        .anyMatch(each -> each.contains(key + ": has no effect: "));
    assertThat(said(DENSE, mesh, idle, alone)).noneMatch(each -> each.contains(key));
    if (!useful.isEmpty()) {
      assertThat(said(DENSE, other, useful, setting))
          .noneMatch(each -> each.contains(key + ": has no effect"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model.ffn=128 | ep: 2 | name=w | model.dense_layers=1",
        "model.activation=gelu | ep: 2 | name=w | model.dense_layers=1",
        "rules.mlp=none | tp: 2 | name=w | model.dense_layers=1",
        "rules.mlp_out=none | tp: 2 | name=w | model.dense_layers=1",
        "rules.shared_mlp=none | tp: 2 | name=w | model.shared_experts=2",
        "training.expert_load={layers.*: [1, 2, 3, 4]} | dp: 2 | name=w |"
            + " training.expert_capacity={factor: 1, pad: false}",
        "training.expert_capacity={factor: 2, pad: false} | ep: 2 | name=w |"
            + " training.expert_load={layers.*: [1, 2, 3, 4]}"
      })
  void aKeyWithoutEffectOnExpertsIsWarnedOf(
      String setting, String mesh, String idle, String useful) {
    String key = setting.substring(0, setting.indexOf('='));
    String ffn = key.equals("model.ffn") ? "name=w" : "model.ffn=128";
    assertThat(said(EXPERTS, mesh, idle, setting))
        .anyMatch(each -> each.contains(key + ": has no effect: "));
    assertThat(said(EXPERTS, mesh, useful, ffn, setting))
        .noneMatch(each -> each.contains(key + ": has no effect"));
  }

  @ParameterizedTest
  @CsvSource({
    "model.experts_per_token, 2",
    "model.expert_ffn, 32",
    "model.shared_experts, 1",
    "model.dense_layers, 1",
    "model.choice_bias, true"
  })
  void whatBelongsToExpertsIsRefusedWithoutThem(String key, String value) {
    assertThatThrownBy(() -> Jobs.spec(DENSE.formatted("dp: 2"), key + "=" + value))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(key)
        .hasMessageContaining("needs model.experts");
  }

  @ParameterizedTest
  @CsvSource({"inference, {}", "modules, []", "transforms, []"})
  void whatIsNotBuiltIsRefusedEvenIfItIsEmpty(String key, String value) {
    assertThatThrownBy(() -> Jobs.spec(DENSE.formatted("dp: 2"), key + "=" + value))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(key + ": is not available in this version");
  }

  @ParameterizedTest
  @CsvSource({"training.zero_group, 1", "rules.expert_mlp, tp"})
  void settingsThatUndoOneAnotherAreWarnedOf(String key, String value) {
    List<String> said =
        key.startsWith("rules")
            ? said(
                EXPERTS,
                "tp: 2",
                "training.sequence_parallel=true",
                "training.expert_tp=1",
                key + "=" + value)
            : said(DENSE, "dp: 4", "training.zero=2", key + "=" + value);
    assertThat(said).anyMatch(each -> each.contains(key + ": "));
  }
}
