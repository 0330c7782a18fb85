package org.stage.instantiate;

import java.util.List;
import java.util.OptionalLong;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Node.Collective;

/**
 * A collective on the gradients or the parameters of one module, beside its programs.
 *
 * @param kind which collective
 * @param elements elements of this rank's input
 * @param type their type
 * @param group its members
 * @param of what it works on
 * @param parameters whose gradients or parameters
 * @param buffer which of the module's flat buffers, where they are sharded: dense parameters and
 *     experts are replicated over different ranks, and so lie apart
 * @param durationNs how long it takes, nanoseconds, if known
 */
public record Sync(
    Collective.Kind kind,
    long elements,
    DataType type,
    Group group,
    Of of,
    List<String> parameters,
    int buffer,
    OptionalLong durationNs) {
  /** What a collective works on. */
  public enum Of {
    /** Whole gradients, in place. */
    GRADIENTS,
    /** Whole gradients, into this rank's shard. */
    GRADIENTS_TO_SHARD,
    /** This rank's shard of the gradients, in place. */
    GRADIENT_SHARD,
    /** This rank's shard of the parameters, into whole ones. */
    PARAMETER_SHARD
  }

  /** Copies the list. */
  public Sync {
    parameters = List.copyOf(parameters);
  }

  /** A collective of which nobody knows how long it takes. */
  public Sync(
      Collective.Kind kind,
      long elements,
      DataType type,
      Group group,
      Of of,
      List<String> parameters,
      int buffer) {
    this(kind, elements, type, group, of, parameters, buffer, OptionalLong.empty());
  }

  /** The same with a known duration, nanoseconds. */
  public Sync lasting(OptionalLong nanoseconds) {
    return new Sync(kind, elements, type, group, of, parameters, buffer, nanoseconds);
  }
}
