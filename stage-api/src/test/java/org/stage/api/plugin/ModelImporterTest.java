package org.stage.api.plugin;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.keys.WorkloadKeys;
import org.stage.api.plugin.ModelImporter.Imported;

class ModelImporterTest {
  @ParameterizedTest
  @ValueSource(strings = {"training.seq", "model", "models.hidden", "model.preset"})
  void anImportedModelHasNoOtherKeysThanThoseOfAModel(String key) {
    WorkloadKeys keys = WorkloadKeys.NONE.with(key, 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Imported(keys, List.of()))
        .withMessage(
            key + " is no key of an imported model: those are below model., without preset");
  }
}
