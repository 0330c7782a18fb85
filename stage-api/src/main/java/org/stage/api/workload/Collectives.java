package org.stage.api.workload;

/**
 * How a collective goes through the network dimensions that its group spans, for estimates of its
 * duration. Set by the workload file; read by whoever estimates, such as the timeline.
 */
public enum Collectives {
  /** Its chunks pass through the dimensions one behind the other, all dimensions at work. */
  PIPELINED,
  /** One dimension after the other, as in ASTRA-sim with one chunk. */
  SERIAL
}
