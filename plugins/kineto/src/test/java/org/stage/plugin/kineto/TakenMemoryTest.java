package org.stage.plugin.kineto;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TakenMemoryTest {
  @Test
  void aProcessOfItsOwnTakesWhatAReadingTakesHere(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("rank3.json");
    Files.writeString(file, Events.document(Events.Layout.LINES, Events.products()));
    TakenMemory.of(file);
    long here = TakenMemory.of(file);

    assertThat(TakenMemory.unwatched(file)).isBetween(here / 2, 2 * here);
  }
}
