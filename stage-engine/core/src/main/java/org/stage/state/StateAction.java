package org.stage.state;

import java.util.List;
import java.util.Optional;
import org.stage.api.workload.Position;

/**
 * Work on the parameters, gradients or optimizer states of a module as a whole.
 *
 * @param kind what is done
 * @param name its name inside the module
 * @param moment when
 * @param work what it takes
 * @param buffer the flat buffer that it fills or empties, where it works on one
 * @param parameters the parameters whose gradients, or which themselves, it reads whole or makes
 *     whole
 */
public record StateAction(
    Kind kind,
    String name,
    Moment moment,
    Work work,
    Optional<FlatBuffer> buffer,
    List<String> parameters)
    implements Action {
  /** What is done. */
  public enum Kind {
    /** This rank's shard of the parameters becomes whole ones. */
    GATHER,
    /** Whole gradients are reduced where they lie. */
    REDUCE,
    /** Whole gradients, or a bucket of them, go into this rank's shard, and stay. */
    SCATTER,
    /** Whole gradients go into a shard of their own, and their memory is free. */
    SCATTER_AND_FREE,
    /** A micro-batch's shard is added to that of those before. */
    ACCUMULATE,
    /** This rank's shard of the gradients is reduced where it lies. */
    REDUCE_SHARD,
    /** The gradients that this rank updates from are squared and added up. */
    SQUARE_SUM,
    /** The sums of all modules are added up. */
    NORM_SUM,
    /** The sums of all ranks are added up. */
    NORM_REDUCE,
    /** Optimizer states come from host memory. */
    LOAD_STATES,
    /** This rank's parameters are updated. */
    UPDATE,
    /** Optimizer states go to host memory. */
    STORE_STATES
  }

  /** Copies the list. */
  public StateAction {
    parameters = List.copyOf(parameters);
  }

  /** One that works on all that a rank holds of a module, or on no module. */
  static StateAction of(Kind kind, String name, Moment moment, Work work) {
    return new StateAction(kind, name, moment, work, Optional.empty(), List.of());
  }

  @Override
  public Position.Role role() {
    return switch (kind) {
      case GATHER -> Position.Role.PARAMETER_GATHER;
      case REDUCE, SCATTER, SCATTER_AND_FREE, ACCUMULATE, REDUCE_SHARD ->
          Position.Role.GRADIENT_REDUCTION;
      case SQUARE_SUM, NORM_SUM, NORM_REDUCE -> Position.Role.GRADIENT_NORM;
      case UPDATE -> Position.Role.UPDATE;
      case LOAD_STATES, STORE_STATES -> Position.Role.OFFLOAD;
    };
  }

  /** The flat buffer, which there is. */
  public FlatBuffer flatBuffer() {
    return buffer.orElseThrow(() -> new IllegalStateException(name + " works on no buffer"));
  }

  /** The same at another moment. */
  public StateAction at(Moment other) {
    return new StateAction(kind, name, other, work, buffer, parameters);
  }

  /** Whether it gathers parameters. */
  public boolean gathers() {
    return kind == Kind.GATHER;
  }

  /** Whether it scatters gradients. */
  boolean scatters() {
    return kind == Kind.SCATTER || kind == Kind.SCATTER_AND_FREE;
  }
}
