package org.stage.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.stage.api.graph.Operator;

class ModuleLibraryTest {
  private static final Set<String> FEATURES =
      Set.of("rms_norm", "swiglu", "sequential_block", "plain_queries", "flash_attention");

  /** Latent attention calls itself attention; other parts are called as their modules. */
  @Test
  void aPartIsCalledAsItsFileSays() {
    Map<String, String> parts = Map.of("mixer", "latent_attention", "feed_forward", "mlp");
    assertThat(ModuleLibrary.standard().build("decoder_layer", FEATURES, parts).operators())
        .extracting(Operator::name)
        .contains("attention.kv_down", "mlp.up", "attention_norm.norm");
  }

  @Test
  void aPartThatIsLeftOpenMustBeSaid() {
    assertThatThrownBy(() -> ModuleLibrary.standard().build("decoder_layer", FEATURES))
        .hasMessage("module decoder_layer: no module for $mixer");
  }
}
