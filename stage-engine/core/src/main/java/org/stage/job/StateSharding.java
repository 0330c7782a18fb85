package org.stage.job;

/**
 * ZeRO (arXiv 1910.02054).
 *
 * @param zero 0 nothing, 1 optimizer states, 2 also gradients, 3 also parameters
 * @param group data- and context-parallel ranks that share one copy; a divisor of their number
 * @param gradients how gradients are reduced, whether they are sharded or not
 * @param parameters how parameters are gathered
 */
public record StateSharding(
    int zero, int group, GradientReduction gradients, ParameterGathering parameters) {
  /** Which modules' parameters ZeRO-3 gathers twice. */
  public enum Regather {
    /** None: each stays gathered from forward to backward. */
    NONE,
    /** Decoder layers; embeddings and head are the root of Megatron's and NeMo's FSDP. */
    LAYERS,
    /** All but the head, whose backward follows its forward at once. */
    NOT_HEAD,
    /** All. */
    ALL;

    /** Whether the embeddings are gathered again. */
    public boolean embedding() {
      return this == NOT_HEAD || this == ALL;
    }

    /** Whether decoder layers are gathered again. */
    public boolean layers() {
      return this != NONE;
    }

    /** Whether the head is gathered again. */
    public boolean head() {
      return this == ALL;
    }
  }
}
