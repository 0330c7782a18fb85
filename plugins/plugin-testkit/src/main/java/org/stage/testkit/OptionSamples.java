package org.stage.testkit;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.stage.api.plugin.Option;

/** Values of an option that are worth trying. */
final class OptionSamples {
  private OptionSamples() {}

  /** What is tried with a value of an option. */
  interface Trial {
    void run(String option, String value) throws IOException;
  }

  /** A test for each value of each option. */
  static Stream<DynamicTest> trials(List<Option> options, Trial trial) {
    return options.stream()
        .flatMap(option -> of(option).map(value -> Map.entry(option.name(), value)))
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey() + "=" + each.getValue(),
                    () -> trial.run(each.getKey(), each.getValue())));
  }

  private static Stream<String> of(Option option) {
    return switch (option.type()) {
      case BOOLEAN -> Stream.of("true", "false");
      case CHOICE -> option.choices().stream();
      case INTEGER -> Stream.of("0", "1", "-1", "" + Long.MAX_VALUE, "" + Long.MIN_VALUE);
      case STRING -> Stream.of("", "a b", "../x", "\u0000", "é漢🚀");
    };
  }
}
