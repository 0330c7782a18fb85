package org.stage.operator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;

/**
 * The operators that there are.
 *
 * @param rules by kind, in the order in which they are listed
 */
public record OperatorRules(Map<OperatorKind, OperatorRule> rules) {
  /** Those of the engine. */
  public static final OperatorRules STANDARD =
      of(
          Stream.of(
                  Products.rules(),
                  AttentionOperators.rules(),
                  RowOperators.rules(),
                  Sums.rules(),
                  ElementwiseOperators.rules(),
                  Lookups.rules(),
                  Views.rules(),
                  CrossEntropy.rules(),
                  ExpertOperators.rules())
              .flatMap(List::stream)
              .toList());

  /** Copies the map, keeping its order. */
  public OperatorRules {
    rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
  }

  private static OperatorRules of(List<OperatorRule> all) {
    Map<OperatorKind, OperatorRule> rules = new LinkedHashMap<>();
    all.forEach(rule -> rules.put(rule.kind(), rule));
    return new OperatorRules(rules);
  }

  /** The same and more. */
  public OperatorRules with(OperatorRule... more) {
    List<OperatorRule> all = new ArrayList<>(rules.values());
    all.addAll(List.of(more));
    return of(all);
  }

  /** The rule of a kind, if it is known. */
  public Optional<OperatorRule> find(OperatorKind kind) {
    return Optional.ofNullable(rules.get(kind));
  }

  /**
   * The rule of an operator.
   *
   * @throws IllegalArgumentException if its kind is not known
   */
  public OperatorRule of(Operator operator) {
    return find(operator.kind())
        .orElseThrow(() -> new IllegalArgumentException("nothing is known of " + operator));
  }
}
