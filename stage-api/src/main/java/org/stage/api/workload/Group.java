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
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are no axes, or two of them overlap
     */
    public Along {
      axes = List.copyOf(axes);
      if (axes.isEmpty()) {
        throw new IllegalArgumentException("a group along no axis");
      }
      for (int i = 1; i < axes.size(); i++) {
        SubAxis later = axes.get(i);
        for (SubAxis earlier : axes.subList(0, i)) {
          if (earlier.overlaps(later)) {
            throw new IllegalArgumentException(earlier + " and " + later + " overlap");
          }
        }
      }
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
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are no coordinates, or they do not ascend
     */
    public Members {
      coordinates = List.copyOf(coordinates);
      if (coordinates.isEmpty()) {
        throw new IllegalArgumentException("a group without members on " + axis);
      }
      for (int i = 1; i < coordinates.size(); i++) {
        if (coordinates.get(i) <= coordinates.get(i - 1)) {
          throw new IllegalArgumentException(coordinates + " on " + axis + " do not ascend");
        }
      }
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
