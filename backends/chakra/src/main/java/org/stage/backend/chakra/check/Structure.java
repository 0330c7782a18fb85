package org.stage.backend.chakra.check;

import java.util.Arrays;
import org.stage.backend.chakra.format.proto.NodeType;

/**
 * What one rank does, without saying with whom: equal for all ranks of a class, so it is kept once.
 * Nodes are numbered in the order in which they would be issued if none took time, so dependencies
 * have lower numbers. Arrays, as there are millions of nodes.
 */
final class Structure {
  /** Id by node. */
  final long[] ids;

  /** Type by node. */
  final byte[] types;

  /** Where a node's dependencies begin in {@link #deps}; one entry more than nodes. */
  final int[] depStart;

  /** Nodes depended on. */
  final int[] deps;

  /** Kind of a collective, tag of a message; 0 for other nodes. */
  final int[] codes;

  /** Bytes of a collective or message; 0 for other nodes. */
  final long[] bytes;

  private final int hash;

  Structure(long[] ids, byte[] types, int[] depStart, int[] deps, int[] codes, long[] bytes) {
    this.ids = ids;
    this.types = types;
    this.depStart = depStart;
    this.deps = deps;
    this.codes = codes;
    this.bytes = bytes;
    this.hash =
        Arrays.hashCode(
            new int[] {Arrays.hashCode(ids), Arrays.hashCode(deps), Arrays.hashCode(bytes)});
  }

  int nodes() {
    return ids.length;
  }

  boolean isCollective(int node) {
    return types[node] == NodeType.COMM_COLL_NODE_VALUE;
  }

  boolean isSend(int node) {
    return types[node] == NodeType.COMM_SEND_NODE_VALUE;
  }

  boolean isRecv(int node) {
    return types[node] == NodeType.COMM_RECV_NODE_VALUE;
  }

  /** Whether the node takes the rank's one communication slot. */
  boolean isOrdered(int node) {
    return isCollective(node) || isSend(node);
  }

  /** How many nodes a node waits for. */
  int depCount(int node) {
    return depStart[node + 1] - depStart[node];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Structure that
        && hash == that.hash
        && Arrays.equals(ids, that.ids)
        && Arrays.equals(types, that.types)
        && Arrays.equals(depStart, that.depStart)
        && Arrays.equals(deps, that.deps)
        && Arrays.equals(codes, that.codes)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
