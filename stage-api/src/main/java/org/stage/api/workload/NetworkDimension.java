package org.stage.api.workload;

/**
 * One dimension of the physical network, on which the mesh is laid in rank order.
 *
 * <p>Later versions may add components and topologies. A constructor with the components of the
 * version before then stays, so that a plugin built against that one still runs.
 *
 * @param topology how the devices of the dimension are joined
 * @param size devices along it, at least 2
 * @param gbPerS bandwidth of a device into the dimension, 10^9 bytes a second
 * @param latencyNs latency of a hop, nanoseconds
 * @param reached share of the bandwidth that transfers reach, above 0 and at most 1; for estimates
 *     of durations, such as the timeline's. Exporters write {@code gbPerS} as it is
 */
public record NetworkDimension(
    Topology topology, int size, double gbPerS, double latencyNs, double reached) {
  /** A dimension whose transfers reach all of its bandwidth. */
  public NetworkDimension(Topology topology, int size, double gbPerS, double latencyNs) {
    this(topology, size, gbPerS, latencyNs, 1);
  }

  /** The same with other devices along it. */
  public NetworkDimension withSize(int devices) {
    return new NetworkDimension(topology, devices, gbPerS, latencyNs, reached);
  }

  /** How the devices of a dimension are joined. */
  public enum Topology {
    /** Each to its two neighbours. */
    RING,
    /** Each to one switch. */
    SWITCH,
    /** Each to each. */
    FULLY_CONNECTED
  }
}
