package org.stage.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder like an unpacked distribution, with the fake plugin, and a workload file. */
final class Distribution {

  private Distribution() {}

  static void make(Path home) throws IOException {
    FakePlugin.write(Files.createDirectories(home.resolve("plugins")));
    Files.writeString(
        home.resolve("job.yaml"),
        """
        model: {preset: llama-3.2-1b, layers: 2}
        mesh: {dp: 2, tp: 4}
        training: {global_batch: 4, seq: 128, precision: bf16}
        exports: [fake]
        """);
  }
}
