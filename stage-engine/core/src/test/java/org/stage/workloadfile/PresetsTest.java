package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.engine.Synthesis;
import org.stage.job.ModelDescription;
import org.stage.job.ModelDescription.Activation;
import org.stage.job.ModelDescription.Norm;
import org.stage.workloadfile.Presets.Preset;

class PresetsTest {
  /** Checked against published counts, by hand from the config files of the published weights. */
  @ParameterizedTest
  @CsvSource({
    "gpt-3-5b, 5047365632",
    "gpt-3-175b, 174604259328",
    "mistral-7b, 7241732096",
    "mixtral-8x7b, 46702792704",
    "mixtral-8x22b, 140620634112",
    "deepseek-moe-16b, 16375728128",
    "deepseek-r1, 671026419200",
    "deepseek-v2, 235741434880",
    "deepseek-v3, 671026419200",
    "kimi-k2, 1026408232448",
    "qwen2.5-72b, 72706203648",
    "qwen3-235b-a22b, 235093634560",
    "qwen3-32b, 32762123264",
    "qwen2.5-7b, 7615616512",
    "llama-2-7b, 6738415616",
    "llama-2-13b, 13015864320",
    "llama-2-70b, 68976648192",
    "llama-3.1-8b, 8030261248",
    "llama-3.1-70b, 70553706496",
    "llama-3.1-405b, 405853388800",
    "llama-3.2-1b, 1235814400",
    "palm-540b, 540356474880"
  })
  void aPresetHasThePublishedNumberOfParameters(String name, long parameters) {
    assertThat(Synthesis.parameters(byName().get(name).model())).isEqualTo(parameters);
  }

  @Test
  void presetsAreSortedAndSayWhatTheyAre() {
    assertThat(Presets.all())
        .hasSize(22)
        .isSortedAccordingTo(Comparator.comparing(Preset::name))
        .allSatisfy(
            preset -> {
              assertThat(preset.model().name()).isEqualTo(preset.name());
              assertThat(preset.description()).isNotEmpty();
              assertThat(preset.source()).isNotEmpty();
            });
  }

  @Test
  void palmHasOneKeyValueHeadAndParallelBlocks() {
    assertThat(byName().get("palm-540b").model())
        .isEqualTo(
            new ModelDescription(
                "palm-540b",
                118,
                18432,
                48,
                1,
                256,
                73728,
                256000,
                0,
                Norm.RMSNORM,
                Activation.SWIGLU,
                false,
                false,
                true,
                true,
                Optional.empty(),
                Optional.empty(),
                false));
  }

  private static Map<String, Preset> byName() {
    return Presets.all().stream()
        .collect(java.util.stream.Collectors.toMap(Preset::name, preset -> preset));
  }
}
