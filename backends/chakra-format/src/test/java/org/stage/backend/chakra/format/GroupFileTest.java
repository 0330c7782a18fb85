package org.stage.backend.chakra.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GroupFileTest {
  @TempDir Path directory;

  @Test
  void idsCountFromOneAndEqualMembersShareOne() throws IOException {
    GroupTable groups = new GroupTable();
    assertThat(groups.id(new int[] {0, 1})).isEqualTo(1);
    assertThat(groups.id(new int[] {1, 0})).isEqualTo(2);
    assertThat(groups.id(new int[] {0, 1})).isEqualTo(1);
    Path file = directory.resolve("w.json");
    GroupFile.write(file, Map.of(), groups);
    assertThat(file).hasContent("{\n  \"1\": [0, 1],\n  \"2\": [1, 0]\n}\n");
    Map<String, int[]> read = GroupFile.read(file);
    assertThat(read).containsOnlyKeys("1", "2");
    assertThat(read.get("2")).containsExactly(1, 0);
  }

  @Test
  void noGroupsAreAnObjectWithout() throws IOException {
    Path file = directory.resolve("w.json");
    GroupFile.write(file, Map.of(), new GroupTable());
    assertThat(GroupFile.read(file)).isEmpty();
  }

  @Test
  void valuesThatAreNoListsArePassedOver() throws IOException {
    assertThat(read("{\"comment\": {\"a\": [1]}, \"7\": [], \"n\": 3}")).containsOnlyKeys("7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1]|0|an object",
        "{\"1\": [0, \"x\"]}|10|ranks",
        "{\"1\": [0, -1]}|10|ranks",
        "{\"1\": [0, 1.5]}|10|ranks",
        "{\"1\": [[0]]}|7|ranks",
        "{\"1\": [9999999999]}|7|ranks",
        "{\"1\": [0], \"1\": [1]}|11|each id once",
        "{\"1\": [0, 1|11|not JSON",
        "{\"1\": [0, 1], x}|14|not JSON"
      })
  void whatIsNoGroupFileIsAFaultWithItsPlace(String text, long offset, String problem) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining("byte " + offset);
  }

  private Map<String, int[]> read(String text) throws IOException {
    Path file = directory.resolve("w.json");
    Files.writeString(file, text);
    return GroupFile.read(file);
  }
}
