package org.stage.schedule;

import java.util.List;

/**
 * A demand of a schedule that a pipeline does not fulfil.
 *
 * @param quantity what would have to be another
 * @param message what was found, and what the schedule needs
 * @param lead what {@code instead} are: {@code Nearest that fit}
 * @param instead values of the quantity that would do; those below 1 are not offered
 */
public record Unmet(Quantity quantity, String message, String lead, List<Long> instead) {
  /** Copies the list. */
  public Unmet {
    instead = List.copyOf(instead);
  }

  /** Another number of ranks is needed. */
  static Unmet ranks(String message, String lead, List<Long> instead) {
    return new Unmet(Quantity.RANKS, message, lead, instead);
  }

  /** Another number of micro-batches is needed. */
  static Unmet microBatches(String message, List<Long> instead) {
    return new Unmet(Quantity.MICRO_BATCHES, message, "Nearest that fit", instead);
  }

  /** What schedules make demands of. */
  public enum Quantity {
    /** Pipeline ranks. */
    RANKS,
    /** Micro-batches of a step. */
    MICRO_BATCHES
  }
}
