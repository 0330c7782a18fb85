package org.stage.backend.simai.format;

/**
 * The communication of one entry of a row.
 *
 * @param kind what is sent
 * @param scope the group, beside that of the column
 * @param bytes the whole tensor, not a rank's shard: what an all-gather yields, what a
 *     reduce-scatter takes in
 */
public record Comm(Kind kind, Scope scope, long bytes) {
  /** Nothing is sent. */
  public static final Comm NONE = new Comm(Kind.NONE, Scope.COLUMN, 0);

  /**
   * Sends nothing, takes no time, and says that the row is one of experts: SimAI books the input
   * gradients of a row under the group of its forward entry.
   */
  public static final Comm OF_EXPERTS = new Comm(Kind.ALLTOALL, Scope.EXPERT, 0);

  /**
   * The most that SimAI looks up a bandwidth for, in collectives other than all-reduce within a
   * tensor-parallel group, and in all-to-all among experts: beyond, it writes an empty result.
   */
  public static final long MAX_RATED_BYTES = 1L << 34;

  /** Above 1 and below this, SimAI takes a constant time for any size. */
  public static final long SMALL_BYTES = 1L << 20;

  /** Words of the format. */
  public enum Kind {
    /** No communication. */
    NONE,
    /** Sum of a tensor on every rank. */
    ALLREDUCE,
    /** Each rank gets the parts of all. */
    ALLGATHER,
    /** Each rank gets a part of the sum. */
    REDUCESCATTER,
    /** Each rank gets a part from each. */
    ALLTOALL
  }

  /** Suffixes of the words. */
  public enum Scope {
    /** Tensor parallel in the forward and input-gradient columns, data parallel in the other. */
    COLUMN(""),
    /** Expert parallel; right in the forward and input-gradient columns only. */
    EXPERT("_EP"),
    /** Data parallel of one expert; right in the weight-gradient column only. */
    EXPERT_DATA("_DP_EP");

    private final String suffix;

    Scope(String suffix) {
      this.suffix = suffix;
    }
  }

  /**
   * Checks the size.
   *
   * @throws IllegalArgumentException if something of no size is sent, but to say that a row is one
   *     of experts
   */
  public Comm {
    boolean marks = kind == Kind.ALLTOALL && scope == Scope.EXPERT && bytes == 0;
    if (kind != Kind.NONE && bytes < 1 && !marks) {
      throw new IllegalArgumentException(kind + " of " + bytes + " bytes");
    }
  }

  /** Whether nothing is sent. */
  public boolean isNone() {
    return kind == Kind.NONE;
  }

  /** The word in the file: {@code ALLTOALL_EP}. */
  public String word() {
    return kind.name() + scope.suffix;
  }

  /** The same with another size. */
  public Comm withBytes(long changed) {
    return new Comm(kind, scope, changed);
  }

  /** The time that SimAI takes for a small message among {@code ranks}, nanoseconds. */
  public static long smallNanoseconds(int ranks) {
    return switch (ranks) {
      case 2 -> 10_000;
      case 4 -> 12_000;
      case 8 -> 15_000;
      case 16 -> 66_000;
      case 32 -> 135_000;
      case 64 -> 200_000;
      case 128 -> 320_000;
      default -> 0;
    };
  }
}
