package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/support.md} says what the plugins of the distribution declare. To write it anew:
 * {@code mvn verify -pl :stage-integration-tests -am -Dit.test=SupportPageIT
 * -Dstage.updateGolden=true}.
 */
class SupportPageIT {
  private static final Path PAGE = Path.of("../docs/support.md");

  @TempDir Path temp;

  @Test
  void thePageSaysWhatThePluginsDeclare() throws Exception {
    Command list = Command.stage(temp, Map.of(), "plugins", "list", "--json");
    assertThat(list.err()).isEmpty();
    JsonNode all = new ObjectMapper().readTree(list.out());
    assertThat(all.at("/issues")).isEmpty();

    String page = page(all.at("/plugins"));
    if (Boolean.getBoolean("stage.updateGolden")) {
      Files.writeString(PAGE, page);
    }

    assertThat(page)
        .as("if the change is meant, run with -Dstage.updateGolden=true")
        .isEqualTo(Files.readString(PAGE).replace("\r\n", "\n"));
  }

  private static String page(JsonNode plugins) {
    List<String> lines = new ArrayList<>();
    lines.add("# What each plugin supports");
    lines.add("");
    lines.add(
        "Made from what the plugins declare (`stage plugins list --json`); a test compares the two, and the test kit");
    lines.add(
        "holds each plugin to it: what is declared works, what is not is refused with a message. How to read the words");
    lines.add("is told in [Plugins](plugins.md).");
    for (JsonNode plugin : plugins) {
      for (JsonNode extension : plugin.get("extensions")) {
        lines.addAll(section(plugin, extension));
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private static List<String> section(JsonNode plugin, JsonNode extension) {
    JsonNode capabilities = extension.get("capabilities");
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("## " + words(extension.get("kinds")) + " " + extension.get("name").textValue());
    lines.add("");
    lines.add(
        "Plugin `%s`: %s."
            .formatted(
                plugin.get("id").textValue(),
                extension.get("description").textValue().replaceFirst("\\.$", "")));
    lines.add("");
    lines.add("| | |");
    lines.add("| --- | --- |");
    capabilities
        .properties()
        .forEach(
            each -> {
              if (!each.getValue().isEmpty()) {
                String words = words(each.getValue());
                String cell = each.getKey().equals("files") ? "`" + words + "`" : words;
                lines.add("| " + each.getKey() + " | " + cell + " |");
              }
            });
    for (JsonNode option : extension.get("options")) {
      lines.add(
          "| option `%s` | %s; default `%s` |"
              .formatted(
                  option.get("name").textValue(),
                  option.get("help").textValue(),
                  option.get("default").textValue()));
    }
    return lines;
  }

  private static String words(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(JsonNode::textValue)
        .collect(Collectors.joining(", "));
  }
}
