package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The drawings in the manual are what the tool prints; {@code -Dstage.golden=write} renews them.
 */
class SchedulesPageTest {
  private static final Path PAGE = Path.of("../../docs/schedules.md");
  private static final Pattern FILE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
  private static final Pattern DRAWING =
      Pattern.compile("```text\n\\$ stage inspect job.yaml (.*?)\n(.*?)```", Pattern.DOTALL);

  @TempDir static Path home;

  @Test
  void drawsEverySchedule() throws IOException {
    String page = Files.readString(PAGE);
    Matcher file = FILE.matcher(page);
    assertThat(file.find()).isTrue();
    Path job = Files.writeString(home.resolve("job.yaml"), file.group(1));
    List<String> drawn = new ArrayList<>();
    String printed =
        DRAWING
            .matcher(page)
            .replaceAll(
                drawing -> {
                  drawn.add(drawing.group(1));
                  List<String> args = new ArrayList<>(List.of("inspect", job.toString()));
                  args.addAll(List.of(drawing.group(1).split(" ")));
                  String out = Run.of(home, args.toArray(String[]::new)).out();
                  return Matcher.quoteReplacement(
                      "```text\n$ stage inspect job.yaml " + drawing.group(1) + "\n" + out + "```");
                });
    if ("write".equals(System.getProperty("stage.golden"))) {
      Files.writeString(PAGE, printed);
    }
    assertThat(drawn).hasSize(5);
    assertThat(Files.readString(PAGE)).isEqualTo(printed);
  }
}
