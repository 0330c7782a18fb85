package org.stage.api.graph;

import java.util.Locale;

/**
 * What a logical axis is to the engine. Sharding rules, differentiation and costs go by it; names
 * of axes are free. Module files declare it; what they declare none for is split only where a rule
 * of the user says so.
 */
public enum AxisRole {
  /** Nothing in particular: the width of a head, of the embedding inside a norm. */
  NONE,
  /** Sequences of a micro-batch. */
  BATCH,
  /** Tokens of a sequence where matrix products work on them. */
  SEQUENCE,
  /** Tokens of a sequence where norms and residuals work, which need no other token. */
  NORM_SEQUENCE,
  /** Tokens of a sequence where the embedding leaves them. */
  EMBEDDING_SEQUENCE,
  /** Tokens of a sequence where each has a latent vector of its queries, or keys and values. */
  LATENT_SEQUENCE,
  /** Tokens of a sequence where experts are chosen for them. */
  ROUTED_SEQUENCE,
  /** Positions that ask, in an attention core. */
  QUERY_SEQUENCE,
  /** Positions that are asked, in an attention core. */
  KEY_SEQUENCE,
  /** Width of the residual stream, between modules and in additions. */
  RESIDUAL,
  /** Query heads. */
  HEADS,
  /** Key/value heads, each of which serves several query heads: a coarser view of these. */
  KV_HEADS,
  /** Query heads in an attention core. */
  CORE_HEADS,
  /** Key/value heads in an attention core: a coarser view of its query heads. */
  CORE_KV_HEADS,
  /** Inner width of a feed-forward network. */
  FEED_FORWARD,
  /** Inner width of an expert. */
  EXPERT_FEED_FORWARD,
  /** Inner width of the experts that every token meets, together. */
  SHARED_FEED_FORWARD,
  /** The vocabulary. */
  VOCABULARY,
  /** Experts of a mixture, where they hold their parameters and their rows. */
  EXPERT,
  /** Experts as a router counts them: what scores them is not rounded to 8 bits. */
  ROUTES,
  /** Rows of an expert where they lie with their expert. */
  SLOT,
  /** Rows of an expert where they lie with their tokens. */
  TOKEN_SLOT,
  /** Blocks of consecutive channels that share a scale, where they are cast to 8 bits. */
  SCALE_BLOCKS;

  /** The name in module files: {@code norm_sequence}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
