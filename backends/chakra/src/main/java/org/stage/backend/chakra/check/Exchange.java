package org.stage.backend.chakra.check;

/**
 * What a communication node exchanges.
 *
 * @param code kind of a collective, tag of a message
 * @param bytes how much
 * @param partner number of the communicator, or rank of the peer
 */
record Exchange(int code, long bytes, int partner) {
  /** Nothing. */
  static final Exchange NONE = new Exchange(0, 0, 0);
}
