package org.stage.schedule;

/**
 * Micro-batches of a chunk that a rank has begun and not ended, when it has most of them.
 *
 * @param whole those whose backward pass, or its first part, has not ended
 * @param weights those that besides only lack gradients of weights
 */
public record InFlight(int whole, int weights) {
  /** The most of {@code rank}. */
  public static InFlight of(Pipeline pipeline, int rank) {
    int whole = 0;
    int weights = 0;
    InFlight most = new InFlight(0, 0);
    for (Turn turn : pipeline.turns(rank)) {
      whole += count(turn, Pass.FORWARD);
      if (whole > most.whole || (whole == most.whole && weights > most.weights)) {
        most = new InFlight(whole, weights);
      }
      whole -= count(turn, Pass.BACKWARD) + count(turn, Pass.INPUT_GRADIENTS);
      weights += count(turn, Pass.INPUT_GRADIENTS) - count(turn, Pass.WEIGHT_GRADIENTS);
    }
    return most;
  }

  private static int count(Turn turn, Pass pass) {
    return (int) turn.slots().stream().filter(slot -> slot.pass() == pass).count();
  }
}
