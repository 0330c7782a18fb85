package org.stage.backend.chakra.check;

import java.util.function.IntConsumer;

/** For each node, those that depend on it. */
final class Adjacency {
  private final int[] start;
  private final int[] children;

  private Adjacency(int[] start, int[] children) {
    this.start = start;
    this.children = children;
  }

  /** Turns lists of dependencies round. */
  static Adjacency reversed(int nodes, int[] depStart, int[] deps) {
    int[] start = new int[nodes + 1];
    for (int dep : deps) {
      start[dep + 1]++;
    }
    for (int node = 0; node < nodes; node++) {
      start[node + 1] += start[node];
    }
    int[] next = start.clone();
    int[] children = new int[deps.length];
    for (int node = 0; node < nodes; node++) {
      for (int i = depStart[node]; i < depStart[node + 1]; i++) {
        children[next[deps[i]]++] = node;
      }
    }
    return new Adjacency(start, children);
  }

  void forEach(int node, IntConsumer action) {
    for (int i = start[node]; i < start[node + 1]; i++) {
      action.accept(children[i]);
    }
  }
}
