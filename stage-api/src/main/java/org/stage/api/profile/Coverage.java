package org.stage.api.profile;

/**
 * What was in the file, and how much of it could be used: the sums to which operators can be held.
 *
 * @param events complete events that were read, of all sorts
 * @param kernels kernels whose time can be used, communication among them
 * @param kernelNs their durations together, nanoseconds; where kernels overlap, each counts
 * @param copies copies whose time can be used
 * @param copyNs their durations together, nanoseconds
 * @param fills fills of memory whose time can be used
 * @param fillNs their durations together, nanoseconds
 * @param owned kernels whose launch lies in an operator on the host
 * @param orphans kernels of whose launch there is no record; those that are neither owned nor
 *     orphans were launched outside of any operator
 * @param damaged events that were broken in the file; lost, or mended
 * @param rejected kernels, copies and fills without a time that can be used
 * @param truncated whether the file ends too early
 */
public record Coverage(
    long events,
    long kernels,
    long kernelNs,
    long copies,
    long copyNs,
    long fills,
    long fillNs,
    long owned,
    long orphans,
    long damaged,
    long rejected,
    boolean truncated) {
  /** Of a profile that times nothing. */
  public static Coverage ofCalls(long events, long damaged, boolean truncated) {
    return new Coverage(events, 0, 0, 0, 0, 0, 0, 0, 0, damaged, 0, truncated);
  }
}
