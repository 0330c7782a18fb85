package org.stage.plugin.kineto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.plugin.ProfileImporter.Imported;

/** Profiles hold whole environments, users, hosts and paths: none of it may come out. */
class SecretsTest {
  private static final String SECRET = "hf_SeCrEtToKeN";

  @TempDir Path folder;

  private static String secretive() {
    List<String> events = new ArrayList<>(Events.products());
    events.add(Events.annotation("run of " + SECRET, 5, 10));
    events.add(
        Events.event("python_function", "/home/" + SECRET + "/a.py", "1", "1", 1, 2, "\"a\": 1"));
    events.add(
        Events.kernel("k", 9_000_000, 10, 99, "\"path\": \"" + SECRET + "\", \"bytes\": \"x\""));
    events.add(Events.op("broken \"" + SECRET + "\" name", 1, 2, "\"b\": 2"));
    events.add(Events.op("lost " + SECRET, 1, 2, "\"b\": 2").replace("\"ph\": \"X\",", "\"p"));
    return Events.document(Events.Layout.LINES, events)
        .replace(
            "\"schemaVersion\": 1",
            "\"metadata\": {\"env\": {\"TOKEN\": \""
                + SECRET
                + "\", \"x\": [\""
                + SECRET
                + "\"]}},"
                + "\"username\": \""
                + SECRET
                + "\", \"host_name\": \""
                + SECRET
                + "\","
                + "\""
                + SECRET
                + "\": {\"rank\": \""
                + SECRET
                + "\"}")
        .replace("trace.json", "/home/" + SECRET + "/trace.json")
        .replace("{\"rank\": 3}", "{\"rank\": 3, \"backend\": \"" + SECRET + "\"}");
  }

  @Test
  void noneComesOutOfAWholeFileNorOfABrokenOne() throws IOException {
    String text = secretive();
    for (int cut = text.length(); cut > 40; cut -= 61) {
      Path file = Files.writeString(folder.resolve("trace.json"), text.substring(0, cut));
      List<Imported> imported = new ArrayList<>();
      Throwable refused = catchThrowable(() -> imported.add(Imports.read(file)));

      assertThat(String.valueOf(refused)).doesNotContain(SECRET);
      assertThat(String.valueOf(imported)).doesNotContain(SECRET);
    }
  }
}
