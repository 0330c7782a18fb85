package org.stage.backend.simai;

/**
 * The columns of a file under way.
 *
 * @param forward times of the forward column
 * @param inputGrad times of the input-gradient column
 * @param weightGrad times of the weight-gradient column
 * @param losses what is met on the way
 */
record Columns(
    Times.Rounding forward, Times.Rounding inputGrad, Times.Rounding weightGrad, Losses losses) {
  static Columns of(Times times, Losses losses) {
    return new Columns(times.rounding(), times.rounding(), times.rounding(), losses);
  }
}
