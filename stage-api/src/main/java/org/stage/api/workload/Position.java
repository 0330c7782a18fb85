package org.stage.api.workload;

import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a node of an execution graph stands in the model and in the step. Who wants to know which
 * layer a node is of, or whether it makes a gradient of weights, asks here; names are for people.
 *
 * @param microBatch the micro-batch, from 0; empty of what is done once a step
 * @param unit the part of the model that a pipeline stage counts in: {@code embedding}, {@code
 *     layers.17}, {@code head}; empty of what is done for a stage as a whole
 * @param component what the node is inside its unit, the same in all alike units and micro-batches:
 *     {@code mlp.up}, {@code mlp.up.wgrad}
 * @param role what it is there for
 */
public record Position(OptionalInt microBatch, String unit, String component, Role role) {
  /** Nothing is known: the position of a node that a foreign trace says no more of. */
  public static final Position UNKNOWN = new Position(OptionalInt.empty(), "", "", Role.UNKNOWN);

  /** The unit that looks tokens up. */
  public static final String EMBEDDING = "embedding";

  /** The unit that makes the loss. */
  public static final String HEAD = "head";

  private static final Pattern NAME =
      Pattern.compile(
          "(?:mb(?<batch>\\d{1,9})\\.)?(?<unit>[^.]+(?:\\.\\d+)?)(?:\\.(?<component>.*))?",
          Pattern.DOTALL);

  /** What a node is there for. Later versions may add roles. */
  public enum Role {
    /** Part of a forward pass. */
    FORWARD,
    /** Part of a forward pass, done again in backward. */
    RECOMPUTATION,
    /** Part of a backward pass for which the module before waits. */
    INPUT_GRADIENT,
    /** The rest of a backward pass: what only gradients of parameters need. */
    WEIGHT_GRADIENT,
    /** Hands a result to another pipeline stage, or takes it. */
    STAGE_BOUNDARY,
    /** Makes parameters whole of which ranks hold shards. */
    PARAMETER_GATHER,
    /** Reduces gradients of parameters over ranks, or adds up what was reduced. */
    GRADIENT_REDUCTION,
    /** Part of the norm by which gradients are clipped. */
    GRADIENT_NORM,
    /** Updates parameters. */
    UPDATE,
    /** Brings data from host memory, or takes it there. */
    OFFLOAD,
    /** Not known. */
    UNKNOWN;

    /** The name in files: {@code weight-gradient}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Requires the parts. */
  public Position {
    Objects.requireNonNull(microBatch);
    Objects.requireNonNull(unit);
    Objects.requireNonNull(component);
    Objects.requireNonNull(role);
  }

  /**
   * Reads a name of the form {@code mb3.layers.17.mlp.up}, for importers of traces that hold names
   * only. A part of the form {@code mb3} at the front is the micro-batch, the next part with the
   * number behind it the unit.
   *
   * @param role what is known of its role by other means
   */
  public static Position ofName(String name, Role role) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      return new Position(OptionalInt.empty(), name, "", role);
    }
    String batch = parts.group("batch");
    return new Position(
        batch == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(batch)),
        parts.group("unit"),
        Objects.requireNonNullElse(parts.group("component"), ""),
        role);
  }

  /** The position of {@code node}; where it is not known, as far as the name tells it. */
  public static Position of(Node node) {
    Position position = node.position();
    return position.isKnown() ? position : ofName(node.name(), Role.UNKNOWN);
  }

  /** Whether anything is known. */
  public boolean isKnown() {
    return !equals(UNKNOWN);
  }

  /** The kind of the unit: its name without the number, {@code layers} of {@code layers.17}. */
  public String unitKind() {
    int dot = unit.lastIndexOf('.');
    String last = unit.substring(dot + 1);
    boolean numbered = !last.isEmpty() && last.chars().allMatch(c -> '0' <= c && c <= '9');
    return numbered ? unit.substring(0, Math.max(0, dot)) : unit;
  }

  /** The first part of the component, its module where it is in one: {@code mlp}. */
  public String module() {
    int dot = component.indexOf('.');
    return dot < 0 ? component : component.substring(0, dot);
  }
}
