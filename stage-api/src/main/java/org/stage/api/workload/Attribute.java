package org.stage.api.workload;

import java.util.List;

/**
 * A fact that a foreign trace states and for which this API has no word of its own: it is passed on
 * as text, so that an exporter of the same format can say it again.
 *
 * @param name as the format has it: {@code pg_name}
 * @param type the format's word for the type of the values: {@code int64_val}, {@code string_list}
 * @param values as text that says them exactly; one, or as many as a list has
 */
public record Attribute(String name, String type, List<String> values) {
  /** Copies the list. */
  public Attribute {
    values = List.copyOf(values);
  }
}
