package org.stage.module;

/**
 * The symbols of sizes in module files to which the engine itself gives values, job by job. The
 * others ({@code embed}, {@code heads}, ...) are numbers of a model's description.
 */
public final class SizeSymbols {
  /** Sequences of a micro-batch, over all its devices. */
  public static final String BATCH = "batch";

  /** Tokens of a sequence. */
  public static final String SEQUENCE = "seq";

  /** The vocabulary, padded so that devices can share it out. */
  public static final String VOCABULARY = "vocab";

  /** Rows of experts that all ranks dispatch in a micro-batch. */
  public static final String EXPERT_ROWS = "expert_rows";

  /** Rows of experts over the whole job, if all ranks had as many as this one. */
  public static final String HELD_ROWS = "held_rows";

  /** The same for the rank of its group along ep that has most. */
  public static final String MOST_ROWS = "most_rows";

  private SizeSymbols() {}
}
