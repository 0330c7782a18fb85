package org.stage.schedule;

import java.util.List;
import java.util.stream.Stream;

/**
 * Schedules that a job may ask for, by name.
 *
 * @param all in the order in which they are listed
 */
public record Schedules(List<Schedule> all) {
  /** Copies the list. */
  public Schedules {
    all = List.copyOf(all);
  }

  /** Those of workload files. */
  public static Schedules standard() {
    return new Schedules(
        List.of(
            new GPipe(),
            new OneForwardOneBackward(),
            new Interleaved(),
            new ZeroBubble(),
            new DualPipe()));
  }

  /** These and another. */
  public Schedules with(Schedule schedule) {
    return new Schedules(Stream.concat(all.stream(), Stream.of(schedule)).toList());
  }

  /**
   * The schedule of a name.
   *
   * @throws IllegalArgumentException if none is called so
   */
  public Schedule named(String name) {
    return all.stream()
        .filter(schedule -> schedule.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no schedule is called " + name));
  }
}
