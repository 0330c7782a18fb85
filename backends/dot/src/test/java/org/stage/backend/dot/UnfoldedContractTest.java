package org.stage.backend.dot;

import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** A drawing with a box for each node says what each is called. */
class UnfoldedContractTest extends DotExporterContractTest {
  /** The first line of a box: up to the first line break that is written as such. */
  private static final Pattern BOX =
      Pattern.compile("(?m)^ *n\\d+ \\[label=\"((?:[^\"\\\\]|\\\\[\\\\\"])*)");

  @Override
  protected Map<String, String> options() {
    return Map.of("fold", "none");
  }

  @Override
  protected Set<String> nodeNames(Path directory) throws IOException {
    return BOX.matcher(Files.readString(directory.resolve("rank0.dot")))
        .results()
        .map(box -> box.group(1).replaceAll("\\\\(.)", "$1"))
        .collect(toSet());
  }

  /** A label is a line. */
  @Override
  protected String inFiles(String name) {
    return name.replace('\n', ' ');
  }
}
