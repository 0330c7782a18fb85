package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportIT {
  @TempDir Path temp;

  @Test
  void aHuggingFaceConfigurationIsAModel() throws Exception {
    Path folder = Files.createDirectories(temp.resolve("models/gpt2"));
    Files.writeString(folder.resolve("config.json"), "{\"model_type\": \"gpt2\"}");
    Files.writeString(
        temp.resolve("job.yaml"),
        "model: models/gpt2/config.json\ntraining: {global_batch: 1, seq: 64}\n");

    Stage.Outcome inspect = Stage.run(temp, "inspect", "job.yaml", "--json");

    assertThat(inspect.exit()).as(inspect.err()).isZero();
    assertThat(inspect.err()).startsWith("note: models/gpt2/config.json: ");
    assertThat(inspect.out()).contains("gpt2").contains("124439808");
  }
}
