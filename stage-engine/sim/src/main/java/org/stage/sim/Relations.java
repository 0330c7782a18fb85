package org.stage.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Peer;

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

  /**
   * The number of a peer; offsets that mean the same one are equal.
   *
   * @throws IllegalArgumentException if the peer is of another job: each is simulated alone
   */
  int of(Peer peer) {
    if (peer instanceof Peer.Along along) {
      int offset = Math.floorMod(along.offset(), mesh.degree(along.axis()));
      return number(new Relation.Peer(along.axis(), offset));
    }
    throw new IllegalArgumentException("messages to " + peer.text() + " cannot be simulated");
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
