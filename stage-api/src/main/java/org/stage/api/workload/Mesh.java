package org.stage.api.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The logical device mesh. Ranks are numbered along the axes, the first varying fastest.
 *
 * @param axes innermost first, each name once
 */
public record Mesh(List<MeshAxis> axes) {
  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if a name stands twice
   */
  public Mesh {
    axes = List.copyOf(axes);
    Set<String> names = new HashSet<>();
    for (MeshAxis axis : axes) {
      if (!names.add(axis.name())) {
        throw new IllegalArgumentException("the mesh has two axes " + axis.name());
      }
    }
  }

  /** A mesh that only counts: what several jobs side by side have in common. */
  public static Mesh ofDevices(int devices) {
    return new Mesh(List.of(new MeshAxis("devices", devices)));
  }

  /**
   * Number of ranks: the product of the degrees.
   *
   * @throws ArithmeticException if it does not fit 31 bits
   */
  public int devices() {
    return axes.stream().mapToInt(MeshAxis::degree).reduce(1, Math::multiplyExact);
  }

  /** The degree of {@code axis}; 1 if the mesh has no such axis. */
  public int degree(String axis) {
    for (MeshAxis each : axes) {
      if (each.name().equals(axis)) {
        return each.degree();
      }
    }
    return 1;
  }

  /**
   * How far apart in rank two neighbours along {@code axis} stand: the product of the degrees of
   * the axes inside it.
   *
   * @throws IllegalArgumentException if the mesh has no such axis
   * @throws ArithmeticException if it does not fit 31 bits
   */
  public int stride(String axis) {
    int stride = 1;
    for (MeshAxis each : axes) {
      if (each.name().equals(axis)) {
        return stride;
      }
      stride = Math.multiplyExact(stride, each.degree());
    }
    throw new IllegalArgumentException("the mesh " + this + " has no axis " + axis);
  }

  /**
   * The coordinate of {@code rank} on {@code axis}, from 0.
   *
   * @throws IllegalArgumentException if the mesh has no such axis
   */
  public int coordinate(int rank, String axis) {
    return rank / stride(axis) % degree(axis);
  }

  /**
   * The rank {@code offset} steps along {@code axis} from {@code rank}, modulo the degree.
   *
   * @throws IllegalArgumentException if the mesh has no such axis
   */
  public int peer(int rank, String axis, int offset) {
    int here = coordinate(rank, axis);
    int there = Math.floorMod((long) here + offset, degree(axis));
    return rank + (there - here) * stride(axis);
  }

  /**
   * The members of the group of {@code rank}, ascending; the same list for each of them.
   *
   * @throws IllegalArgumentException if the mesh has no such axis, if a sub-axis does not divide
   *     its axis, or if {@code rank} is not one of the members that the group names
   */
  public List<Integer> members(Group group, int rank) {
    List<Integer> members = new ArrayList<>(List.of(rank));
    if (group instanceof Group.Members some) {
      members = at(some, rank);
    } else if (group instanceof Group.Along along) {
      for (SubAxis part : along.axes()) {
        members = spread(members, part);
      }
    }
    Collections.sort(members);
    return List.copyOf(members);
  }

  private List<Integer> at(Group.Members some, int rank) {
    int here = coordinate(rank, some.axis());
    if (!some.coordinates().contains(here)) {
      throw new IllegalArgumentException("rank " + rank + " is not in the group " + text(some));
    }
    int stride = stride(some.axis());
    List<Integer> members = new ArrayList<>();
    some.coordinates().forEach(there -> members.add(rank + (there - here) * stride));
    return members;
  }

  private List<Integer> spread(List<Integer> members, SubAxis part) {
    int degree = degree(part.axis());
    int outer = Math.multiplyExact(part.pre(), part.size());
    if (degree % outer != 0) {
      throw new IllegalArgumentException(
          part.text(degree) + " does not divide " + part.axis() + " of the mesh " + this);
    }
    int inner = degree / outer;
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
