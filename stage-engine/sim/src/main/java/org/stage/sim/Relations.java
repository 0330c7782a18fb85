package org.stage.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;

/** With whom the ranks of a class communicate, numbered as they are met. */
final class Relations {
  private final Mesh mesh;
  private final List<Relation> all = new ArrayList<>();
  private final Map<Relation, Integer> numbers = new HashMap<>();

  Relations(Mesh mesh) {
    this.mesh = mesh;
  }

  /** The number of a group. */
  int of(Group group) {
    return number(new Relation.Member(group));
  }

  /** The number of a peer; offsets that mean the same one are equal. */
  int of(String axis, int offset) {
    return number(new Relation.Peer(axis, Math.floorMod(offset, mesh.degree(axis))));
  }

  /** All of them, by number. */
  List<Relation> all() {
    return all;
  }

  private int number(Relation relation) {
    Integer known = numbers.putIfAbsent(relation, all.size());
    if (known == null) {
      all.add(relation);
      return all.size() - 1;
    }
    return known;
  }
}
