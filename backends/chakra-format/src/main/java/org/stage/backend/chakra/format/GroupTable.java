package org.stage.backend.chakra.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The communicators of a trace set. Ids count from 1 in the order of first use (0 means all ranks
 * to the simulator, which refuses it in the file); equal members are one communicator.
 */
public final class GroupTable {
  private final Map<Members, Integer> ids = new HashMap<>();
  private final List<int[]> groups = new ArrayList<>();

  /** The id of the communicator of {@code members}, whose order is the order of the ring. */
  public int id(int[] members) {
    return ids.computeIfAbsent(
        new Members(members.clone()),
        key -> {
          groups.add(key.ranks);
          return groups.size();
        });
  }

  /** How many communicators there are. */
  public int size() {
    return groups.size();
  }

  /** The members of a communicator. */
  public int[] members(int id) {
    return groups.get(id - 1).clone();
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
