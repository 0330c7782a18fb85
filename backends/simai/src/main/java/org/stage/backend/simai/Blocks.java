package org.stage.backend.simai;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.Position;
import org.stage.backend.simai.format.Row;

/**
 * The blocks of a module, each of which gets rows of its own under the names that AICB gives:
 * {@code attention_norm}, {@code attention} and {@code attention_residual} are the block {@code
 * attention}.
 */
final class Blocks {
  static final String EMBEDDING = Position.EMBEDDING;
  static final String HEAD = Position.HEAD;

  private static final String FINAL = "final";
  private static final String LOSS = "cross_entropy";

  /** What computes the loss. */
  private static final Set<String> OF_LOSS =
      Set.of(
          OperatorKind.TARGET_LOGIT.text(),
          OperatorKind.EXP_SUM.text(),
          OperatorKind.NEGATIVE_LOG_LIKELIHOOD.text());

  /** The same in a trace that holds names only. */
  private static final Set<String> NAMES_OF_LOSS =
      Set.of(OperatorKind.TARGET_LOGIT.text(), OperatorKind.EXP_SUM.text(), "loss");

  private final String unit;
  private final Set<String> components = new HashSet<>();
  private final Set<String> ofLoss = new HashSet<>();

  Blocks(String unit) {
    this.unit = unit;
  }

  /** Learns a component that computes in the forward pass; others are names of tensors. */
  void learn(String component, String operator) {
    components.add(component);
    if (OF_LOSS.contains(operator) || NAMES_OF_LOSS.contains(component)) {
      ofLoss.add(component);
    }
  }

  /** The block of a component; empty if it is no component, but a tensor between two blocks. */
  Optional<String> of(String component) {
    if (unit.equals(EMBEDDING)) {
      return Optional.of(EMBEDDING);
    }
    if (!components.contains(component)) {
      return Optional.empty();
    }
    if (unit.equals(HEAD)) {
      return Optional.of(ofLoss.contains(component) ? LOSS : FINAL);
    }
    int end = component.indexOf('_');
    while (end >= 0 && !components.contains(component.substring(0, end))) {
      end = component.indexOf('_', end + 1);
    }
    return Optional.of(end < 0 ? component : component.substring(0, end));
  }

  /** The name of row {@code index} of {@code count} of a block. */
  static String rowName(String block, int index, int count) {
    if (block.equals(EMBEDDING)) {
      return Row.EMBEDDING;
    }
    if (block.equals(LOSS)) {
      return LOSS + (index + 1);
    }
    if (block.equals(FINAL)) {
      return index == 0 ? "final_column" : "final_column" + (index + 1);
    }
    if (count == 1) {
      return block + "_layer";
    }
    if (index == 0) {
      return block + "_column";
    }
    return index == count - 1 ? block + "_row" : block + "_column" + (index + 1);
  }
}
