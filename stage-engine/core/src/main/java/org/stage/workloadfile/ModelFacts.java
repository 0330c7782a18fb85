package org.stage.workloadfile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.symbol.Expr;
import org.stage.api.symbol.Rational;
import org.stage.workloadfile.SourceNode.Fields;
import org.stage.workloadfile.SourceNode.Items;
import org.stage.workloadfile.SourceNode.Scalar;

/**
 * What holds of a model, key by key: what is said, else what its family says, else what the table
 * of keys says. Keys are named without {@code model.}.
 */
final class ModelFacts {
  private static final String MODEL = "model.";

  private final Values values;
  private final Family family;

  ModelFacts(Values values, Family family) {
    this.values = values;
    this.family = family;
  }

  /** The value of {@code key} as it would be written; empty if it has none. */
  String word(String key) {
    if (values.has(MODEL + key)) {
      return values.word(MODEL + key);
    }
    Optional<SourceNode> usual = first(family.cases("defaults", key));
    if (usual.isEmpty()) {
      return values.word(MODEL + key);
    }
    String raw = ((Scalar) usual.get()).raw();
    if (isNumber(key)) {
      return Long.toString(number(raw));
    }
    return Keys.all().containsKey(MODEL + raw) ? word(raw) : raw;
  }

  /** Whether {@code key} has a value, said or usual. */
  boolean has(String key) {
    return values.has(MODEL + key)
        || first(family.cases("defaults", key)).isPresent()
        || !values.word(MODEL + key).isEmpty();
  }

  /** The value of {@code key}, a number within the range of an int. */
  int whole(String key) {
    return Integer.parseInt(word(key));
  }

  /** The value of {@code key}, a flag. */
  boolean flag(String key) {
    return is(key, "true");
  }

  private boolean is(String key, String value) {
    return isNumber(key)
        ? has(key) && whole(key) == Integer.parseInt(value)
        : word(key).equalsIgnoreCase(value);
  }

  private static boolean isNumber(String key) {
    return Keys.at(MODEL + key).type() instanceof NumberType;
  }

  /** The value of a sum of products of keys, rounded down. */
  long number(String sum) {
    Expr expr = Expr.parse(sum);
    Map<String, Long> keys = new HashMap<>();
    expr.symbols().forEach(key -> keys.put(key, Long.parseLong(word(key))));
    Rational exact = expr.evaluateExact(keys);
    return exact.numerator().divide(exact.denominator()).longValueExact();
  }

  /** What the first of the cases says whose condition holds, if one does. */
  Optional<SourceNode> first(List<Family.Case> cases) {
    return cases.stream().filter(each -> holds(each.when())).map(Family.Case::is).findFirst();
  }

  /** Whether a condition holds, as {@code families/decoder.yaml} tells it. */
  boolean holds(SourceNode condition) {
    if (condition instanceof Items items) {
      return items.items().stream().anyMatch(this::holds);
    }
    return ((Fields) condition)
        .fields().entrySet().stream()
            .allMatch(each -> holds(each.getKey(), ((Scalar) each.getValue()).raw()));
  }

  private boolean holds(String key, String value) {
    return switch (value) {
      case "given" -> has(key);
      case "none" -> !has(key);
      case "above 0" -> has(key) && whole(key) > 0;
      default -> is(key, value);
    };
  }
}
