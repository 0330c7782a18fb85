package org.stage.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.stage.api.plugin.Progress;

/** Keeps the words of progress that make no sense. */
final class ProgressLog implements Progress {
  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());

  @Override
  public void report(long done, long total, String unit) {
    if (done < 0 || done > total || unit.isBlank()) {
      wrong.add(done + " of " + total + " " + unit);
    }
  }

  List<String> wrong() {
    return wrong;
  }
}
