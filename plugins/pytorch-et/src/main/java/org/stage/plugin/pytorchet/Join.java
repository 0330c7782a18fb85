package org.stage.plugin.pytorchet;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.stage.plugin.kineto.format.Category;
import org.stage.plugin.kineto.format.Signature;
import org.stage.plugin.kineto.format.Trace;
import org.stage.plugin.pytorchet.format.EtNode;

/**
 * Finds the calls of an execution trace among those of a profile of the same process: by the
 * numbers of their records where both have them and nearly all names agree, else by the order of
 * names on each thread.
 */
final class Join {
  /** How far an order may be out of step: calls that only one of the two has recorded. */
  private static final int LOOK_AHEAD = 64;

  private static final int LOOK_BACK = 8;

  private final List<EtNode> nodes;
  private final Trace trace;
  private final Map<Signature, Integer> signatures = new HashMap<>();
  private final String[] names;

  Join(List<EtNode> nodes, Trace trace) {
    this.nodes = nodes;
    this.trace = trace;
    this.names = new String[trace.names()];
    for (int i = 0; i < names.length; i++) {
      names[i] = trace.name(i);
    }
  }

  /**
   * What was joined.
   *
   * @param matched calls that were found
   * @param byNumber whether by numbers
   */
  record Result(long matched, boolean byNumber) {}

  /** Gives the calls of the profile the shapes of the execution trace. */
  Result run() {
    Map<EtNode, Integer> matches = byNumber();
    boolean numbered = !matches.isEmpty();
    if (!numbered) {
      matches = byOrder();
    }
    matches.forEach(this::describe);
    return new Result(matches.size(), numbered);
  }

  private void describe(EtNode node, int op) {
    if (trace.signature(trace.opSignature(op)).dims().isEmpty()
        && !node.inputs().dims().isEmpty()) {
      trace.describe(op, signatures.computeIfAbsent(node.inputs(), trace::addSignature));
    }
  }

  private Map<EtNode, Integer> byNumber() {
    Map<Long, Integer> ops = new HashMap<>();
    for (int op = 0; op < trace.ops(); op++) {
      if (trace.opFunction(op) > 0) {
        ops.put((long) trace.opFunction(op), op);
      }
    }
    Map<EtNode, Integer> matches = new HashMap<>();
    long met = 0;
    for (EtNode node : nodes) {
      Integer op = node.function() > 0 ? ops.get(node.function()) : null;
      if (op != null) {
        met++;
        if (names[trace.opName(op)].equals(node.name())) {
          matches.put(node, op);
        }
      }
    }
    // numbers of another run meet too, but other names
    return matches.size() * 10L >= met * 9L ? matches : Map.of();
  }

  private Map<EtNode, Integer> byOrder() {
    Map<String, List<EtNode>> threads = new TreeMap<>();
    for (EtNode node : nodes) {
      threads.computeIfAbsent(node.thread(), thread -> new ArrayList<>()).add(node);
    }
    Map<Integer, List<Integer>> lanes = lanes();
    Map<EtNode, Integer> matches = new HashMap<>();
    Set<Integer> taken = new HashSet<>();
    List<List<EtNode>> longestFirst = new ArrayList<>(threads.values());
    longestFirst.sort(Comparator.comparingInt(thread -> -thread.size()));
    for (List<EtNode> thread : longestFirst) {
      Map<EtNode, Integer> best = Map.of();
      int bestLane = -1;
      for (Map.Entry<Integer, List<Integer>> lane : lanes.entrySet()) {
        if (!taken.contains(lane.getKey())) {
          Map<EtNode, Integer> aligned = aligned(thread, lane.getValue());
          if (aligned.size() > best.size()) {
            best = aligned;
            bestLane = lane.getKey();
          }
        }
      }
      taken.add(bestLane);
      matches.putAll(best);
    }
    return matches;
  }

  private Map<Integer, List<Integer>> lanes() {
    Map<Integer, List<Integer>> lanes = new TreeMap<>();
    for (int op = 0; op < trace.ops(); op++) {
      if (trace.opCategory(op) != Category.MODULE) {
        lanes.computeIfAbsent(trace.opLane(op), lane -> new ArrayList<>()).add(op);
      }
    }
    Comparator<Integer> byStart = Comparator.comparingLong(trace::opStart);
    lanes.values().forEach(ops -> ops.sort(byStart.thenComparing(op -> -trace.opDuration(op))));
    return lanes;
  }

  private Map<EtNode, Integer> aligned(List<EtNode> thread, List<Integer> ops) {
    Map<EtNode, Integer> matches = new HashMap<>();
    BitSet used = new BitSet();
    int at = 0;
    for (EtNode node : thread.subList(begin(thread, ops), thread.size())) {
      int found = find(node.name(), ops, used, at);
      if (found >= 0) {
        used.set(found);
        matches.put(node, ops.get(found));
        at = Math.max(at, found + 1);
      }
    }
    return matches;
  }

  /** The next, else one that was passed over since two began at the same time, else a later one. */
  private int find(String name, List<Integer> ops, BitSet used, int at) {
    if (at < ops.size() && isCalled(ops.get(at), name)) {
      return at;
    }
    for (int i = Math.max(0, at - LOOK_BACK); i < at; i++) {
      if (!used.get(i) && isCalled(ops.get(i), name)) {
        return i;
      }
    }
    for (int i = at; i < Math.min(ops.size(), at + LOOK_AHEAD); i++) {
      if (isCalled(ops.get(i), name)) {
        return i;
      }
    }
    return -1;
  }

  private boolean isCalled(int op, String name) {
    return names[trace.opName(op)].equals(name);
  }

  /** An execution trace may hold earlier steps than the profile: begin at the first they share. */
  private int begin(List<EtNode> thread, List<Integer> ops) {
    for (int op : ops) {
      String name = names[trace.opName(op)];
      if (name.startsWith("ProfilerStep#")) {
        for (int i = 0; i < thread.size(); i++) {
          if (thread.get(i).name().equals(name)) {
            return i;
          }
        }
      }
    }
    return 0;
  }
}
