package org.stage.job;

import java.util.Set;

/**
 * A decoder layer as data: two modules around the residual stream, and what holds of them.
 *
 * @param mixer the module that exchanges between tokens, such as {@code attention}
 * @param feedForward what works on each token by itself
 * @param features what holds of the layer, for {@code when} in module files
 */
public record Block(String mixer, FeedForward feedForward, Set<String> features) {
  /**
   * The part of a layer that works on each token by itself.
   *
   * @param module its module, such as {@code mlp}
   * @param hasExperts whether it is a mixture of experts, whose work depends on the rows that its
   *     ranks receive
   */
  public record FeedForward(String module, boolean hasExperts) {}

  /** Copies the set. */
  public Block {
    features = Set.copyOf(features);
  }

  /** Whether its feed-forward part is a mixture of experts. */
  public boolean hasExperts() {
    return feedForward.hasExperts();
  }
}
