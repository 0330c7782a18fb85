package org.stage.api.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The logical device mesh. Ranks are numbered along the axes, the first varying fastest.
 *
 * @param axes innermost first, each name once
 */
public record Mesh(List<MeshAxis> axes) {
  /** Copies the list. */
  public Mesh {
    axes = List.copyOf(axes);
  }

  /** Number of ranks: the product of the degrees. */
  public int devices() {
    return axes.stream().mapToInt(MeshAxis::degree).reduce(1, Math::multiplyExact);
  }

  /** The degree of {@code axis}; 1 if the mesh has no such axis. */
  public int degree(String axis) {
    return axes.stream().filter(a -> a.name().equals(axis)).mapToInt(MeshAxis::degree).sum() == 0
        ? 1
        : axes.stream().filter(a -> a.name().equals(axis)).mapToInt(MeshAxis::degree).sum();
  }

  /** How far apart in rank two neighbours along {@code axis} stand. */
  public int stride(String axis) {
    int stride = 1;
    for (MeshAxis each : axes) {
      if (each.name().equals(axis)) {
        return stride;
      }
      stride *= each.degree();
    }
    throw new IllegalArgumentException("the mesh " + this + " has no axis " + axis);
  }

  /** The coordinate of {@code rank} on {@code axis}. */
  public int coordinate(int rank, String axis) {
    return rank / stride(axis) % degree(axis);
  }

  /** The rank {@code offset} steps along {@code axis} from {@code rank}, modulo the degree. */
  public int peer(int rank, String axis, int offset) {
    int here = coordinate(rank, axis);
    int there = Math.floorMod(here + offset, degree(axis));
    return rank + (there - here) * stride(axis);
  }

  /** The members of the group of {@code rank}, ascending. */
  public List<Integer> members(Group group, int rank) {
    List<Integer> members = new ArrayList<>(List.of(rank));
    if (group instanceof Group.Members some) {
      int here = coordinate(rank, some.axis());
      members.clear();
      for (int there : some.coordinates()) {
        members.add(rank + (there - here) * stride(some.axis()));
      }
    } else if (group instanceof Group.Along along) {
      for (SubAxis part : along.axes()) {
        members = spread(members, part);
      }
    }
    Collections.sort(members);
    return List.copyOf(members);
  }

  private List<Integer> spread(List<Integer> members, SubAxis part) {
    int inner = degree(part.axis()) / (part.pre() * part.size());
    int stride = stride(part.axis()) * inner;
    List<Integer> spread = new ArrayList<>();
    for (int member : members) {
      int here = coordinate(member, part.axis()) / inner % part.size();
      for (int there = 0; there < part.size(); there++) {
        spread.add(member + (there - here) * stride);
      }
    }
    return spread;
  }

  /** The group as text: {@code tp}, {@code dp+cp}, {@code tp:(2)4}, {@code pp{0,7}}. */
  public String text(Group group) {
    if (group instanceof Group.Members some) {
      return some.axis()
          + some.coordinates().stream()
              .map(String::valueOf)
              .collect(Collectors.joining(",", "{", "}"));
    }
    return ((Group.Along) group)
        .axes().stream()
            .map(part -> part.text(degree(part.axis())))
            .collect(Collectors.joining("+"));
  }

  /** For example {@code tp=4 dp=4 pp=2}. */
  @Override
  public String toString() {
    return axes.stream().map(a -> a.name() + "=" + a.degree()).collect(Collectors.joining(" "));
  }
}
