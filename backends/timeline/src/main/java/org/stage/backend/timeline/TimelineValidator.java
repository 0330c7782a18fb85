package org.stage.backend.timeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.pf4j.Extension;
import org.stage.api.diagnostic.Counted;
import org.stage.api.diagnostic.Faults;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator;
import org.stage.backend.timeline.check.TimelineCheck;

/** Checks timelines: what a viewer would refuse or draw wrongly. */
@Extension
public final class TimelineValidator implements TraceValidator {
  private static final int MANY = 1_000;

  @Override
  public String name() {
    return "timeline";
  }

  @Override
  public String description() {
    return "checks timelines (timeline.json) as viewers of trace events read them";
  }

  @Override
  public boolean accepts(Path directory) {
    return !TimelineCheck.find(directory).isEmpty();
  }

  @Override
  public Validation validate(Path directory, Progress progress) throws IOException {
    Faults faults = new Faults(MANY);
    List<Path> files = TimelineCheck.find(directory);
    if (files.isEmpty()) {
      faults.error(
          directory.toString(), "there is no timeline.json", "Give the folder of a timeline.");
    }
    long slices = 0;
    int ranks = 0;
    for (Path file : files) {
      TimelineCheck check = new TimelineCheck(file, faults);
      check.run();
      slices += check.slices();
      ranks += check.ranks();
      progress.report(1, files.size(), "files");
    }
    String summary = Counted.of(ranks, "rank") + " shown, " + Counted.of(slices, "slice");
    return new Validation(summary, faults.all());
  }
}
