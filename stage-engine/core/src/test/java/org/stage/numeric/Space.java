package org.stage.numeric;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.stage.api.graph.Operand;

/**
 * The iteration space of an operator: its axes with the sizes that its operands have. Where both
 * stand, {@code kv_heads} is no axis of its own but a coarser index of {@code heads}.
 */
final class Space {
  private final List<String> axes = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();
  private int keyValueHeads;

  /** Takes the sizes of {@code operand}, which must agree with those of the operands before. */
  Space with(Operand operand, Dense tensor) {
    for (int d = 0; d < tensor.rank(); d++) {
      with(operand.axes().get(d), tensor.shape[d]);
    }
    return this;
  }

  Space with(String axis, int size) {
    int known = axes.indexOf(axis);
    if (known >= 0 && sizes.get(known) != size) {
      throw new IllegalArgumentException(axis + " is " + sizes.get(known) + " and " + size);
    }
    if (known < 0) {
      axes.add(axis);
      sizes.add(size);
    }
    return this;
  }

  /** To be called when all operands are there. */
  Space grouped() {
    int coarse = axes.indexOf("core_kv_heads");
    if (coarse >= 0 && axes.contains("core_heads")) {
      axes.remove(coarse);
      keyValueHeads = sizes.remove(coarse);
    }
    return this;
  }

  boolean has(String axis) {
    return axes.contains(axis) || (axis.equals("core_kv_heads") && keyValueHeads > 0);
  }

  int size(String axis) {
    return axis.equals("core_kv_heads") && keyValueHeads > 0
        ? keyValueHeads
        : sizes.get(axes.indexOf(axis));
  }

  Dense zeros(Operand operand) {
    return Dense.zeros(operand.axes().stream().mapToInt(this::size).toArray());
  }

  void forEach(Consumer<int[]> visit) {
    int[] point = new int[axes.size()];
    int points = sizes.stream().reduce(1, (a, b) -> a * b);
    for (int i = 0; i < points; i++) {
      int rest = i;
      for (int a = point.length - 1; a >= 0; a--) {
        point[a] = rest % sizes.get(a);
        rest /= sizes.get(a);
      }
      visit.accept(point);
    }
  }

  int index(String axis, int[] point) {
    if (axis.equals("core_kv_heads") && keyValueHeads > 0) {
      int heads = axes.indexOf("core_heads");
      return point[heads] * keyValueHeads / sizes.get(heads);
    }
    return point[axes.indexOf(axis)];
  }

  /** Index into the data of an operand at a point. */
  int offset(Operand operand, int[] point) {
    int offset = 0;
    for (String axis : operand.axes()) {
      offset = offset * size(axis) + index(axis, point);
    }
    return offset;
  }
}
