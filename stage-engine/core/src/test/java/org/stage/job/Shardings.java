package org.stage.job;

import org.stage.job.GradientReduction.When;
import org.stage.job.StateSharding.Regather;

/** How states are exchanged. */
public final class Shardings {
  /** What is updated is gathered behind it, and one module ahead what is not kept. */
  public static final ParameterGathering GATHERED =
      new ParameterGathering(false, 1, Regather.LAYERS, 0);

  private Shardings() {}

  /** Gradients that are reduced as they are complete, in buckets. */
  public static GradientReduction atOnce(long bucket) {
    return new GradientReduction(When.AT_ONCE, bucket, false);
  }

  /** Gradients that are reduced when nothing else is done. */
  public static GradientReduction atEnd(long bucket) {
    return new GradientReduction(When.AT_END, bucket, false);
  }
}
