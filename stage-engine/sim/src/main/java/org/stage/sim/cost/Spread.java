package org.stage.sim.cost;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How a group is spread over the network: its size is the product of its sizes along the
 * dimensions.
 *
 * <p>The members of a group on [8, 4] that fill half of each of two nodes are spread 4 by 2. A
 * group of which one node holds more members than another has no such product: it is taken as one
 * ring in the outermost dimension in which its members differ.
 *
 * @param sizes by dimension, innermost first, each at least 1
 */
public record Spread(List<Integer> sizes) {
  /** Copies the list. */
  public Spread {
    sizes = List.copyOf(sizes);
  }

  /**
   * That of {@code ranks} on dimensions of so many devices.
   *
   * @param ranks ascending, at least one
   * @param dimensions innermost first, multiplying to all devices
   */
  public static Spread of(List<Integer> ranks, List<Integer> dimensions) {
    List<Integer> sizes = new ArrayList<>();
    List<Integer> blocks = ranks;
    for (int devices : dimensions) {
      List<Integer> outside = blocks.stream().map(each -> each / devices).distinct().toList();
      int size = blocks.size() / outside.size();
      if (!isEven(blocks, devices, size)) {
        return outermost(ranks, dimensions);
      }
      sizes.add(size);
      blocks = outside;
    }
    return new Spread(sizes);
  }

  /** Whether each {@code size} of the ascending {@code blocks} lie in one of {@code devices}. */
  private static boolean isEven(List<Integer> blocks, int devices, int size) {
    for (int i = 0; i < blocks.size(); i++) {
      boolean begins = i == 0 || blocks.get(i) / devices != blocks.get(i - 1) / devices;
      if (begins != (i % size == 0)) {
        return false;
      }
    }
    return true;
  }

  private static Spread outermost(List<Integer> ranks, List<Integer> dimensions) {
    List<Integer> sizes = new ArrayList<>(Collections.nCopies(dimensions.size(), 1));
    int lowest = ranks.get(0);
    int highest = ranks.get(ranks.size() - 1);
    int last = 0;
    for (int i = 0; i < dimensions.size(); i++) {
      last = lowest == highest ? last : i;
      lowest /= dimensions.get(i);
      highest /= dimensions.get(i);
    }
    sizes.set(last, ranks.size());
    return new Spread(sizes);
  }

  /** Members in all. */
  public int members() {
    return inside(sizes.size());
  }

  /** Members that differ in the first {@code dimensions} only. */
  int inside(int dimensions) {
    return sizes.stream().limit(dimensions).reduce(1, Math::multiplyExact);
  }
}
