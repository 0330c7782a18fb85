package org.stage.backend.chakra.check;

import java.util.Arrays;
import org.stage.backend.chakra.format.proto.Node;

/** The nodes of one rank as they come from the file, with ids not looked up yet. */
final class Draft {
  long[] ids = new long[256];
  byte[] types = new byte[256];
  int[] codes = new int[256];
  long[] bytes = new long[256];
  int[] partners = new int[256];
  int[] depStart = new int[257];
  long[] deps = new long[512];
  int nodes;

  /** Takes a node; a dependency that is written twice, or as data and as control, is one. */
  void add(Node node, Exchange exchange) {
    if (nodes == ids.length) {
      grow();
    }
    ids[nodes] = node.getId();
    types[nodes] = (byte) node.getTypeValue();
    codes[nodes] = exchange.code();
    bytes[nodes] = exchange.bytes();
    partners[nodes] = exchange.partner();
    int start = depStart[nodes];
    int end = start;
    int count = node.getDataDepsCount() + node.getCtrlDepsCount();
    if (deps.length < start + count) {
      deps = Arrays.copyOf(deps, Math.max(2 * deps.length, start + count));
    }
    for (int i = 0; i < count; i++) {
      deps[end++] =
          i < node.getDataDepsCount()
              ? node.getDataDeps(i)
              : node.getCtrlDeps(i - node.getDataDepsCount());
    }
    depStart[++nodes] = distinct(start, end);
  }

  private int distinct(int start, int end) {
    Arrays.sort(deps, start, end);
    int to = start;
    for (int i = start; i < end; i++) {
      if (i == start || deps[i] != deps[i - 1]) {
        deps[to++] = deps[i];
      }
    }
    return to;
  }

  private void grow() {
    ids = Arrays.copyOf(ids, 2 * nodes);
    types = Arrays.copyOf(types, 2 * nodes);
    codes = Arrays.copyOf(codes, 2 * nodes);
    bytes = Arrays.copyOf(bytes, 2 * nodes);
    partners = Arrays.copyOf(partners, 2 * nodes);
    depStart = Arrays.copyOf(depStart, 2 * nodes + 1);
  }
}
