package org.stage.backend.genie.format;

/** What the public branch of Genie can hold. */
public final class Limits {
  /** Ids of a rank stay below it: they index an array of the Chrome trace. */
  public static final int IDS = 1 << 20;

  /** Bytes of a buffer, into which a message must fit. */
  public static final long BUFFER = 256L << 20;

  private Limits() {}
}
