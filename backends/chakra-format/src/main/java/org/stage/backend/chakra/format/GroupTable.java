package org.stage.backend.chakra.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The communicators of a trace set. Ids count from 1 in the order of first use (0 means all ranks
 * to the simulator, which refuses it in the file); equal members are one communicator.
 */
public final class GroupTable {
  private final Map<Members, Integer> ids = new HashMap<>();
  private final List<int[]> groups = new ArrayList<>();
  private final int first;

  /** A table whose ids count from 1. */
  public GroupTable() {
    this(1);
  }

  /** A table whose ids count from {@code first}, as lower ones are taken. */
  public GroupTable(int first) {
    this.first = first;
  }

  /** The id of the communicator of {@code members}, whose order is the order of the ring. */
  public int id(int[] members) {
    return ids.computeIfAbsent(
        new Members(members.clone()),
        key -> {
          groups.add(key.ranks);
          return first + groups.size() - 1;
        });
  }

  /** How many communicators there are. */
  public int size() {
    return groups.size();
  }

  /** The ids, ascending. */
  public int[] ids() {
    return IntStream.range(first, first + groups.size()).toArray();
  }

  /** The members of a communicator. */
  public int[] members(int id) {
    return groups.get(id - first).clone();
  }

  private static final class Members {
    private final int[] ranks;
    private final int hash;

    Members(int[] ranks) {
      this.ranks = ranks;
      this.hash = Arrays.hashCode(ranks);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Members that && Arrays.equals(ranks, that.ranks);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
