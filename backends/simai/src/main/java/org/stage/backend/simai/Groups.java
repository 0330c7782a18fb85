package org.stage.backend.simai;

import java.util.List;
import java.util.Optional;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;
import org.stage.backend.simai.format.Comm;

/**
 * Which of SimAI's four groups stands for a group of the mesh.
 *
 * <p>SimAI binds a word to a group by its column: tensor parallel in the forward and input-gradient
 * columns, data parallel (all ranks of a stage that are not tensor parallel) in the other.
 */
final class Groups {
  private final Mesh mesh;
  private final boolean foldsContext;

  /**
   * A place in the file.
   *
   * @param data whether it is the weight-gradient column
   * @param scope the suffix
   * @param ranks members that SimAI prices
   */
  record Place(boolean data, Comm.Scope scope, int ranks) {}

  Groups(Mesh mesh, boolean foldsContext) {
    if (mesh.degree("cp") > 1 && !foldsContext) {
      throw new InputException(
          "mesh.cp",
          "SimAI knows no context parallelism, and " + mesh.degree("cp") + " was asked for",
          "Set the option context_parallel to fold: cp then counts into tp.");
    }
    this.mesh = mesh;
    this.foldsContext = foldsContext;
  }

  /** Ranks of SimAI's tensor-parallel group. */
  int tensor() {
    return mesh.degree("tp") * (foldsContext ? mesh.degree("cp") : 1);
  }

  int expert() {
    return mesh.degree("ep");
  }

  int pipeline() {
    return mesh.degree("pp");
  }

  /** Ranks of SimAI's data-parallel group. */
  int data() {
    return mesh.devices() / (tensor() * pipeline());
  }

  /** How a group is called in messages. */
  String text(Group group) {
    return mesh.text(group);
  }

  /**
   * Where its collectives stand; empty if no group of SimAI comes near.
   *
   * @param ofParameters whether they are about parameters or gradients of them: over the ranks of
   *     experts alone these are data parallel, as where {@code ep} is all of the data parallelism
   */
  Optional<Place> place(Group group, boolean ofParameters) {
    List<String> axes = List.of(group.axisNames().split("\\+"));
    if (group instanceof Group.Members || axes.contains("pp")) {
      return Optional.empty();
    }
    List<String> tensor = foldsContext ? List.of("tp", "cp") : List.of("tp");
    if (tensor.containsAll(axes)) {
      return Optional.of(new Place(false, Comm.Scope.COLUMN, tensor()));
    }
    if (axes.equals(List.of("ep")) && !ofParameters) {
      return Optional.of(new Place(false, Comm.Scope.EXPERT, expert()));
    }
    boolean dense = axes.contains("ep") || expert() == 1;
    if (axes.contains("tp") || data() == 1) {
      return Optional.empty();
    }
    return Optional.of(
        dense
            ? new Place(true, Comm.Scope.COLUMN, data())
            : new Place(true, Comm.Scope.EXPERT_DATA, data() / expert()));
  }
}
