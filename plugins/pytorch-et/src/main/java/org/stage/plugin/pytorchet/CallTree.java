package org.stage.plugin.pytorchet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.plugin.kineto.format.Calls;
import org.stage.plugin.kineto.format.Trace;
import org.stage.plugin.pytorchet.format.EtNode;

/** Calls in each other as times in each other: what is called lies within what calls. */
final class CallTree {
  private CallTree() {}

  /** A call that is entered, or left. */
  private record Visit(EtNode node, long entered) {}

  static Trace trace(List<EtNode> nodes) {
    Set<Long> ids = new HashSet<>();
    nodes.forEach(node -> ids.add(node.id()));
    Map<Long, List<EtNode>> children = new HashMap<>();
    List<EtNode> roots = new ArrayList<>();
    for (EtNode node : nodes) {
      // whose caller is not there stands by itself
      boolean inside = ids.contains(node.parent()) && node.parent() < node.id();
      (inside ? children.computeIfAbsent(node.parent(), id -> new ArrayList<>()) : roots).add(node);
    }
    Calls calls = new Calls();
    Deque<Visit> open = new ArrayDeque<>();
    for (int i = roots.size() - 1; i >= 0; i--) {
      open.push(new Visit(roots.get(i), 0));
    }
    long clock = 1;
    while (!open.isEmpty()) {
      Visit visit = open.pop();
      EtNode node = visit.node();
      if (visit.entered() > 0) {
        calls.add(
            node.name(), node.thread(), visit.entered(), clock++, node.inputs(), node.moved());
        continue;
      }
      open.push(new Visit(node, clock++));
      List<EtNode> inside = children.getOrDefault(node.id(), List.of());
      for (int i = inside.size() - 1; i >= 0; i--) {
        open.push(new Visit(inside.get(i), 0));
      }
    }
    return calls.trace();
  }
}
