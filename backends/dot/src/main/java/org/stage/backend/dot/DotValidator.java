package org.stage.backend.dot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.pf4j.Extension;
import org.stage.api.diagnostic.Counted;
import org.stage.api.diagnostic.Faults;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator;
import org.stage.backend.dot.check.DrawingCheck;

/** Checks drawings: what Graphviz would not read. */
@Extension
public final class DotValidator implements TraceValidator {
  private static final int MANY = 1_000;

  @Override
  public String name() {
    return "dot";
  }

  @Override
  public String description() {
    return "checks drawings (.dot) as Graphviz reads them";
  }

  @Override
  public boolean accepts(Path directory) throws IOException {
    return !DrawingCheck.find(directory).isEmpty();
  }

  @Override
  public Validation validate(Path directory, Progress progress) throws IOException {
    Faults faults = new Faults(MANY);
    List<Path> files = DrawingCheck.find(directory);
    if (files.isEmpty()) {
      faults.error(directory.toString(), "there is no .dot file", "Give the folder of a drawing.");
    }
    long boxes = 0;
    long edges = 0;
    int done = 0;
    for (Path file : files) {
      DrawingCheck check = new DrawingCheck(file, faults);
      check.run();
      boxes += check.boxes();
      edges += check.edges();
      progress.report(++done, files.size(), "files");
    }
    String summary =
        String.format(
            Locale.ROOT,
            "%s, %s, %s",
            Counted.of(files.size(), "drawing"),
            Counted.of(boxes, "box", "boxes"),
            Counted.of(edges, "edge"));
    return new Validation(summary, faults.all());
  }
}
