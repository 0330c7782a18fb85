package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ManualTest {
  private static final Path MANUAL = Golden.ROOT.resolve(Path.of("docs", "workload-file.md"));
  private static final String START = "<!-- keys: made from schema/keys.yaml -->\n";
  private static final String END = "<!-- end of keys -->\n";

  @Test
  void theManualHoldsTheTableOfKeys() throws IOException {
    String manual = Files.readString(MANUAL);
    assertThat(manual).containsOnlyOnce(START).containsOnlyOnce(END);
    Golden.check(
        MANUAL,
        manual.substring(0, manual.indexOf(START) + START.length())
            + table()
            + manual.substring(manual.indexOf(END)));
  }

  private static String table() {
    return Keys.all().values().stream()
        .filter(key -> !key.path().endsWith("[]"))
        .map(key -> "| `" + key.path() + "` | " + values(key) + " | " + key.meaning() + " |\n")
        .collect(Collectors.joining("", "| key | values | meaning |\n| --- | --- | --- |\n", ""));
  }

  private static String values(Key key) {
    List<String> parts = new ArrayList<>(List.of(values(key.path(), key.type(), key.fallback())));
    if (key.required()) {
      parts.add("required");
    } else if (!key.otherwise().isEmpty()) {
      parts.add("default: " + key.otherwise());
    } else if (!key.fallback().isEmpty() && !isWord(key.type())) {
      parts.add("default: " + key.fallback());
    }
    return String.join("; ", parts);
  }

  private static boolean isWord(KeyType type) {
    return type instanceof KeyType.OneOf || type instanceof KeyType.WordOrList;
  }

  private static String values(String path, KeyType type, String fallback) {
    if (type instanceof KeyType.NameOrPath either) {
      boolean device = either.names().now().equals(HardwarePresets.NAMES);
      return "a name of `stage " + (device ? "hardware" : "models") + "`, or a path";
    } else if (type instanceof KeyType.OneOf one) {
      List<String> all = new ArrayList<>();
      one.now().forEach(each -> all.add(each.equals(fallback) ? "**" + each + "**" : each));
      one.later().forEach(each -> all.add("_" + each + "_"));
      one.planned().forEach(each -> all.add("_" + each.text().replace('-', ' ') + "_"));
      return String.join(", ", all);
    } else if (type instanceof KeyType.WordOrList words) {
      return values(path, words.word(), fallback)
          + ", or a list of "
          + values(path, words.item(), "");
    } else if (type instanceof KeyType.ListOf) {
      return "list of: " + values(path + "[]", Keys.at(path + "[]").type(), "");
    } else if (type instanceof KeyType.Unbuilt unbuilt) {
      return unbuilt.map() ? "_a map_" : "_a list_";
    } else if (type instanceof KeyType.Section section && section.instead() != null) {
      return values(path, section.instead(), fallback) + ", or a map";
    }
    return type.expected();
  }
}
