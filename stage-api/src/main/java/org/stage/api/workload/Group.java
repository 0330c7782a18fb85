package org.stage.api.workload;

import java.util.List;

/** The ranks that take part in a collective, said relative to the rank that issues it. */
public sealed interface Group {
  /** Number of members. */
  int size();

  /** The names of the mesh axes along which the members differ, joined by {@code +}. */
  String axisNames();

  /**
   * All ranks that differ from this one only along some axes or sub-axes.
   *
   * @param axes disjoint, at least one
   */
  record Along(List<SubAxis> axes) implements Group {
    /** Copies the list. */
    public Along {
      axes = List.copyOf(axes);
    }

    @Override
    public int size() {
      return axes.stream().mapToInt(SubAxis::size).reduce(1, Math::multiplyExact);
    }

    @Override
    public String axisNames() {
      return String.join("+", axes.stream().map(SubAxis::axis).distinct().toList());
    }
  }

  /**
   * Ranks at given coordinates of one axis; the issuing rank is one of them.
   *
   * @param axis the axis
   * @param coordinates ascending
   */
  record Members(String axis, List<Integer> coordinates) implements Group {
    /** Copies the list. */
    public Members {
      coordinates = List.copyOf(coordinates);
    }

    @Override
    public int size() {
      return coordinates.size();
    }

    @Override
    public String axisNames() {
      return axis;
    }
  }
}
