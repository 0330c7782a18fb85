package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.engine.Synthesis;
import org.stage.job.Block;
import org.stage.job.Block.FeedForward;
import org.stage.job.Model;
import org.stage.job.Model.Dimensions;
import org.stage.job.Model.Experts;
import org.stage.job.Model.Run;
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
    Model palm = byName().get("palm-540b").model();
    Set<String> features = Set.of("rms_norm", "swiglu", "rotary", "parallel_block");
    assertThat(palm.runs())
        .containsExactly(
            new Run(new Block("attention", new FeedForward("mlp", false), features), 118));
    assertThat(palm.dimensions()).isEqualTo(new Dimensions(48, 1, 73728, 256000, 0));
    assertThat(palm.tied()).isTrue();
    assertThat(palm.sizes()).containsEntry("embed", 18432L).containsEntry("head_dim", 256L);
  }

  /** 3 dense layers, then 58 with experts, each with 256 biases that no gradient trains. */
  @Test
  void deepSeekHasTwoRunsOfLayers() {
    Model model = byName().get("deepseek-v3").model();
    assertThat(model.runs()).extracting(Run::count).containsExactly(3, 58);
    assertThat(model.runs())
        .extracting(run -> run.block().hasExperts())
        .containsExactly(false, true);
    assertThat(model.blocks()).extracting(Block::mixer).containsOnly("latent_attention");
    assertThat(model.untrained()).isEqualTo(58 * 256);
    assertThat(model.experts()).contains(new Experts(256, 8, 2048, 1));
    assertThat(model.sizes()).containsEntry("head_dim", 192L).containsEntry("shared_mlp", 2048L);
  }

  /** A preset that is not listed would not be found. */
  @Test
  void theIndexListsEachPreset() throws IOException, URISyntaxException {
    Path folder = Path.of(Presets.class.getResource("/presets").toURI());
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(Presets.NAMES.stream(), Stream.of("index"))
                  .map(name -> name + ".yaml")
                  .toList());
    }
  }

  private static Map<String, Preset> byName() {
    return Presets.all().stream()
        .collect(java.util.stream.Collectors.toMap(Preset::name, preset -> preset));
  }
}
