package org.stage.testkit;

import java.util.stream.Stream;
import org.stage.api.plugin.Option;

/** Values of an option that are worth trying. */
final class OptionSamples {
  private OptionSamples() {}

  static Stream<String> of(Option option) {
    return switch (option.type()) {
      case BOOLEAN -> Stream.of("true", "false");
      case CHOICE -> option.choices().stream();
      case INTEGER -> Stream.of("0", "1", "-1", "" + Long.MAX_VALUE, "" + Long.MIN_VALUE);
      case STRING -> Stream.of("", "a b", "../x", "\u0000", "é漢🚀");
    };
  }
}
