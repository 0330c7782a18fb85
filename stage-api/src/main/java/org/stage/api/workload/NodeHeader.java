package org.stage.api.workload;

/**
 * What every node has. Made from what all nodes need, and then {@link #at}, {@link #with} what is
 * known besides.
 *
 * @param id the index in the graph
 * @param name hierarchical name, for people
 * @param phase the part of the step
 * @param position where it stands; {@link Position#UNKNOWN} of foreign traces
 * @param deps the nodes before it
 * @param tensors the tensors that it reads and writes
 * @param details measured times, and what a foreign trace says; {@link Details#NONE} of a node that
 *     was synthesized
 */
public record NodeHeader(
    int id,
    String name,
    Phase phase,
    Position position,
    Dependencies deps,
    Access tensors,
    Details details) {
  /** A node of which nothing else is known. */
  public NodeHeader(
      int id, String name, Phase phase, Ids dataDeps, Ids controlDeps, Ids reads, Ids writes) {
    this(
        id,
        name,
        phase,
        Position.UNKNOWN,
        new Dependencies(dataDeps, controlDeps),
        new Access(reads, writes),
        Details.NONE);
  }

  /** The same at a position. */
  public NodeHeader at(Position other) {
    return new NodeHeader(id, name, phase, other, deps, tensors, details);
  }

  /** The same with what is known of it beyond what it does. */
  public NodeHeader with(Details other) {
    return new NodeHeader(id, name, phase, position, deps, tensors, other);
  }

  /** Nodes whose results are used; lower ids. */
  public Ids dataDeps() {
    return deps.data();
  }

  /** Nodes that come first for the schedule's sake; lower ids. */
  public Ids controlDeps() {
    return deps.control();
  }

  /** Tensors read, indices into {@link ExecutionGraph#tensors()}. */
  public Ids reads() {
    return tensors.reads();
  }

  /** Tensors written, likewise; each tensor has one writer. */
  public Ids writes() {
    return tensors.writes();
  }

  /**
   * The nodes that come before a node.
   *
   * @param data nodes whose results are used; lower ids
   * @param control nodes that come first for the schedule's sake; lower ids
   */
  public record Dependencies(Ids data, Ids control) {}

  /**
   * The tensors of a node, as indices into {@link ExecutionGraph#tensors()}.
   *
   * @param reads tensors read
   * @param writes tensors written; each tensor has one writer
   */
  public record Access(Ids reads, Ids writes) {
    /** None. */
    public static final Access NONE = new Access(Ids.NONE, Ids.NONE);
  }
}
