package org.stage.backend.chakra;

import java.util.HashMap;
import java.util.Map;
import org.stage.backend.chakra.Settings.Order;

/** Finds, for each collective and send of a rank, the one that must be done before it. */
final class CommOrder {
  /** No communication goes before. */
  static final int NONE = -1;

  private final Order order;
  private final Map<Integer, Integer> lastBySlot = new HashMap<>();
  private int last = NONE;

  CommOrder(Order order) {
    this.order = order;
  }

  /** The node before {@code node} in the order, {@code slot} being its communicator or peer. */
  int before(int node, int slot) {
    int lastThere = lastBySlot.getOrDefault(slot, NONE);
    int lastAnywhere = last;
    lastBySlot.put(slot, node);
    last = node;
    return switch (order) {
      case TOTAL -> lastAnywhere;
      case PER_GROUP -> lastThere;
      case NONE -> NONE;
    };
  }
}
