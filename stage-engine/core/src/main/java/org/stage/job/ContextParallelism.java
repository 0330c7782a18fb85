package org.stage.job;

/** How context-parallel ranks, each with a part of every sequence, attend to whole sequences. */
public enum ContextParallelism {
  /** Gathers keys and values. */
  ALL_GATHER,
  /** Passes keys and values from rank to rank (ring attention, arXiv 2310.01889). */
  RING,
  /** Exchanges parts of the sequence for heads (DeepSpeed-Ulysses, arXiv 2309.14509). */
  ULYSSES
}
