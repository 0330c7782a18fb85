package org.stage.sim.cost;

import java.util.Locale;

/**
 * How much more efficient flash attention is forward than backward on a device: the share of the
 * device's peak that it reaches in one direction over that in the other.
 *
 * <p>Medians of the efficiencies that SimuMax (commit 4dcaae5) lists for A100, 12 sizes, and B200,
 * 19 sizes. A trace of a training run on H800 (github.com/deepseek-ai/profile-data) takes 3.05
 * times as long backward, with 2.5 times the FLOPs: a ratio of 1.2, which is taken for all others.
 */
public final class AttentionEfficiency {
  private static final double OF_A100 = 1.16;
  private static final double USUAL = 1.2;

  private AttentionEfficiency() {}

  /**
   * The ratio.
   *
   * @param device its name, as a profile or a workload file has it; may be empty
   */
  public static double forwardOverBackward(String device) {
    return device.toLowerCase(Locale.ROOT).contains("a100") ? OF_A100 : USUAL;
  }
}
