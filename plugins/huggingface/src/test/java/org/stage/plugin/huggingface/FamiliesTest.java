package org.stage.plugin.huggingface;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.keys.WorkloadKeys.Flag;
import org.stage.api.keys.WorkloadKeys.Text;

class FamiliesTest {
  static List<Family> families() {
    return Families.ALL;
  }

  /** The one that others are like describes no model itself. */
  @Test
  void theIndexListsEachFamily() throws IOException, URISyntaxException {
    Path folder = Path.of(Families.class.getResource("families").toURI());
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(
                      families().stream().map(Family::modelType), Stream.of("index", "decoder"))
                  .map(name -> name + ".json")
                  .toList());
    }
    assertThat(families()).extracting(Family::modelType).isSorted();
  }

  @ParameterizedTest
  @MethodSource("families")
  void eachFamilySaysWhatAModelNeeds(Family family) {
    assertThat(family.architecture()).containsPattern("(ForCausalLM|LMHeadModel)$");
    assertThat(family.functions()).contains(family.usualWord("function"));
    assertThat(List.of("layers", "hidden", "heads", "vocab"))
        .allSatisfy(
            size -> {
              assertThat(family.reads(size)).isTrue();
              assertThat(family.usual(size)).isBetween(1, family.most(size));
            });
    assertThat(List.of("family", "norm", "activation", "bias", "parallel_block"))
        .allSatisfy(key -> assertThat(family.always(key)).isPresent());
  }

  @Test
  void aFamilySaysWhatDiffersFromTheOneThatItIsLike() {
    Family bigCode = Families.family("gpt_bigcode");
    assertThat(bigCode.usual("layers")).isEqualTo(12);
    assertThat(bigCode.usualWord("function")).isEqualTo("gelu_pytorch_tanh");
    assertThat(bigCode.reads("kv_heads")).isFalse();
    assertThat(bigCode.always("norm")).contains(new Text("layernorm"));
    assertThat(bigCode.always("parallel_block")).contains(new Flag(false));
    assertThat(bigCode.demands()).isEmpty();
    assertThat(Families.family("gpt2").reads("one_kv_head")).isFalse();
  }

  @Test
  void familiesThatAreAnotherGraphAreKnown() {
    assertThat(Families.UNBUILT)
        .hasSize(62)
        .containsEntry("jamba", "state-space layers (Mamba), experts (MoE) in this family");
  }
}
