package org.stage.api.workload;

/**
 * One axis of the device mesh.
 *
 * @param name {@code tp}, {@code cp}, {@code ep}, {@code dp} or {@code pp}; {@code devices} where
 *     several jobs have no other mesh in common
 * @param degree devices along it, at least 1
 */
public record MeshAxis(String name, int degree) {
  /**
   * Checks the degree.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  public MeshAxis {
    if (degree < 1) {
      throw new IllegalArgumentException("mesh axis " + name + "=" + degree + " has no devices");
    }
  }
}
