package org.stage.cli;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.stage.app.Listener;

/**
 * One line on a terminal that says how far the work is: done, rate, time left. Nothing appears in
 * the first second, nor where nobody is watching.
 */
final class ProgressLine implements Listener.Task {
  private static final long SILENCE = TimeUnit.SECONDS.toNanos(1);
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(200);
  private static final String CLEAR = "\r\u001b[K";

  private final World world;
  private final boolean shown;
  private final String label;
  private final long begin;
  private long next;
  private boolean visible;

  ProgressLine(Stage stage, String label) {
    this.world = stage.world();
    this.shown = world.terminal() && !stage.quiet();
    this.label = label;
    this.begin = world.nanoTime().getAsLong();
    this.next = begin + SILENCE;
  }

  @Override
  public synchronized void report(long done, long total, String unit) {
    if (!shown) {
      return;
    }
    long now = world.nanoTime().getAsLong();
    if (now - next < 0) {
      return;
    }
    next = now + PERIOD;
    visible = true;
    world.err().print(CLEAR + text(done, total, unit, now - begin));
    world.err().flush();
  }

  private String text(long done, long total, String unit, long nanos) {
    double perSecond = done / (nanos / 1e9);
    String text = label + ": " + Units.count(done) + " of " + Units.count(total) + " " + unit;
    if (done <= 0 || done > total) {
      return text;
    }
    long left = (long) Math.ceil((total - done) / perSecond);
    String format = perSecond < 10 ? "%.1f" : "%,.0f";
    return text
        + ", "
        + String.format(Locale.ROOT, format, perSecond)
        + "/s, "
        + String.format(Locale.ROOT, "%d:%02d", left / 60, left % 60)
        + " left";
  }

  @Override
  public synchronized void close() {
    if (visible) {
      world.err().print(CLEAR);
      world.err().flush();
      visible = false;
    }
  }
}
