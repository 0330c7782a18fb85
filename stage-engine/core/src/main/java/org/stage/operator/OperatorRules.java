package org.stage.operator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.text.Words;

/**
 * A catalogue of operators: what is known of each. It does not change.
 *
 * @param rules by name, in the order in which they are listed
 */
public record OperatorRules(Map<String, OperatorRule> rules) {
  private static final OperatorRules STANDARD =
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
    Map<String, OperatorRule> rules = new LinkedHashMap<>();
    all.forEach(rule -> rules.put(rule.kind().text(), rule));
    return new OperatorRules(rules);
  }

  /** Those of the engine. Who needs rules is given them: others may know more operators. */
  public static OperatorRules standard() {
    return STANDARD;
  }

  /** The same and more; one of a name that is there takes its place. */
  public OperatorRules with(OperatorRule... more) {
    List<OperatorRule> all = new ArrayList<>(rules.values());
    all.addAll(List.of(more));
    return of(all);
  }

  /** An operator that adds up {@code parts}: partial sums of all of them give a partial sum. */
  public static Operator sum(String name, List<Operand> parts, Operand sum) {
    return Operator.of(name, OperatorKind.ADD, parts, sum);
  }

  /** The rule of an operator of that name, if there is one. */
  public Optional<OperatorRule> find(String kind) {
    return Optional.ofNullable(rules.get(kind));
  }

  /**
   * The rule of an operator.
   *
   * @throws IllegalArgumentException if its kind is not known
   */
  public OperatorRule of(Operator operator) {
    return find(operator.kind().text())
        .orElseThrow(
            () -> {
              List<String> nearest =
                  Words.nearest(operator.kind().text(), List.copyOf(rules.keySet()));
              return new IllegalArgumentException(
                  "nothing is known of " + operator + "; nearest: " + String.join(", ", nearest));
            });
  }
}
