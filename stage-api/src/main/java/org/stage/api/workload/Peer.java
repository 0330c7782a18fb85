package org.stage.api.workload;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.stage.api.Experimental;

/**
 * The other end of a message, said relative to the rank, so that all ranks of a class share it.
 * {@link Workload#peer} says which rank it is.
 */
public sealed interface Peer {
  /**
   * For people, and what tells the {@link Lane lane} of its messages from others: {@code pp:+1},
   * {@code job decode}. All peers in one job have one.
   */
  String text();

  /** The mesh axis along which it stands, or the name of the other job. */
  String axisName();

  /**
   * A rank that differs from this one along one axis of the mesh.
   *
   * @param axis the mesh axis
   * @param offset steps along it, modulo the degree
   */
  record Along(String axis, int offset) implements Peer {
    @Override
    public String text() {
      return axis + (offset < 0 ? ":" : ":+") + offset;
    }

    @Override
    public String axisName() {
      return axis;
    }
  }

  /**
   * A rank of another job of the workload, as a function of this rank's coordinates: for each axis
   * of the other job's mesh, a coordinate.
   *
   * @param job the other job's name
   * @param coordinates by axis of its mesh; 0 on those that are not named
   */
  @Experimental
  record OfJob(String job, Map<String, Coordinate> coordinates) implements Peer {
    /** Copies the map, keeping its order. */
    public OfJob {
      coordinates = Collections.unmodifiableMap(new LinkedHashMap<>(coordinates));
    }

    @Override
    public String text() {
      return "job " + job;
    }

    @Override
    public String axisName() {
      return job;
    }
  }

  /**
   * A coordinate on an axis of the other job's mesh: {@code (here * times / over + plus)} modulo
   * its degree, where {@code here} is this rank's coordinate on an axis of its own mesh. With
   * {@code times} 1 and {@code over} 2 two neighbours have one peer; with {@code times} 2 and
   * {@code plus} 0 and 1 one rank has two, in two messages.
   *
   * @param axis an axis of this rank's mesh
   * @param times at least 0
   * @param over at least 1; what is left of the division is dropped
   * @param plus what is added
   */
  @Experimental
  record Coordinate(String axis, int times, int over, int plus) {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if {@code times} is negative or {@code over} below 1
     */
    public Coordinate {
      if (times < 0 || over < 1) {
        throw new IllegalArgumentException(
            "a coordinate of " + times + "/" + over + " times that on " + axis);
      }
    }

    /** The same coordinate as on {@code axis}. */
    public static Coordinate same(String axis) {
      return new Coordinate(axis, 1, 1, 0);
    }

    int on(int here, int degree) {
      return Math.floorMod((long) here * times / over + plus, degree);
    }
  }
}
