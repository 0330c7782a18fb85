package org.stage.plugin.kineto.format;

/**
 * What a profile says of a collective.
 *
 * @param collective its name: {@code allreduce}; empty if not said
 * @param inElements elements of this rank's input; -1 if not said
 * @param outElements elements of this rank's output; -1 if not said
 * @param dataType the type of an element: {@code Float}; empty if not said
 * @param group the ranks that take part
 */
public record Communication(
    String collective, long inElements, long outElements, String dataType, ProcessGroup group) {
  /** Nothing is said. */
  public static final Communication NONE = new Communication("", -1, -1, "", ProcessGroup.UNKNOWN);

  /**
   * What a profile says of a process group.
   *
   * @param name its name; empty if not said
   * @param description what it is for: {@code default_pg}; empty if not said
   * @param size how many ranks it has; 0 if not said
   * @param ranks its ranks, raw; empty if not said
   */
  public record ProcessGroup(String name, String description, int size, String ranks) {
    /** Nothing is said. */
    public static final ProcessGroup UNKNOWN = new ProcessGroup("", "", 0, "");
  }
}
