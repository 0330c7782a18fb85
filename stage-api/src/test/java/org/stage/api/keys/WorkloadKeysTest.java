package org.stage.api.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.keys.WorkloadKeys.Items;
import org.stage.api.keys.WorkloadKeys.Text;
import org.stage.api.keys.WorkloadKeys.Whole;

class WorkloadKeysTest {
  private static final WorkloadKeys HIDDEN = WorkloadKeys.NONE.with("model.hidden", 4096);

  @Test
  void keysArePrintedInTheirOrderAsTheyAreTyped() {
    WorkloadKeys keys =
        HIDDEN
            .with("model.family", "llama")
            .with("model.tied", false)
            .with("mesh.order", new Items(List.of(new Text("tp"), new Text("pp"))));

    assertThat(keys)
        .hasToString(
            """
            model.hidden: 4096
            model.family: llama
            model.tied: false
            mesh.order: [tp, pp]""");
  }

  @Test
  void keysAreEqualWhateverTheirOrder() {
    WorkloadKeys layers = WorkloadKeys.NONE.with("model.layers", 2);

    assertThat(HIDDEN.and(layers)).isEqualTo(layers.and(HIDDEN)).isNotEqualTo(HIDDEN);
  }

  @Test
  void aNumberIsNotTheTextOfItsDigits() {
    assertThat(HIDDEN).isNotEqualTo(WorkloadKeys.NONE.with("model.hidden", "4096"));
    assertThat(HIDDEN.values()).containsEntry("model.hidden", new Whole(4096));
  }

  @Test
  void aKeyHasOneValue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HIDDEN.with("model.hidden", 4096))
        .withMessage("model.hidden has a value already");
  }

  @Test
  void aKeyWithAValueHasNoKeysBelowIt() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HIDDEN.with("model", "llama-3.1-8b"))
        .withMessage("model.hidden stands below model, which has a value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "model.", ".hidden", "model..hidden", "Model", "a b", "a[0]"})
  void aKeyIsAPathOfNames(String key) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WorkloadKeys.NONE.with(key, true))
        .withMessage("'" + key + "' is no key such as model.hidden");
  }
}
