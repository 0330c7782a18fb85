package org.stage.job;

/**
 * What a layer computes again in backward instead of keeping it.
 *
 * @param recompute how much
 * @param modules the modules, where they are listed
 */
public record ActivationCheckpointing(Recompute recompute, RecomputedModules modules) {
  /** All is kept. */
  public static final ActivationCheckpointing NONE =
      new ActivationCheckpointing(Recompute.NONE, RecomputedModules.NONE);

  /** What a layer computes again (Korthikanti et al., arXiv 2205.05198). */
  public enum Recompute {
    /** Nothing. */
    NONE,
    /** The attention core: what works on scores. */
    SELECTIVE,
    /** The whole layer, from its input. */
    FULL,
    /** Modules that are listed, each from its inputs. */
    MODULES
  }
}
