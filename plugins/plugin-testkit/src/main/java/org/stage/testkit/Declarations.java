package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.stage.api.plugin.Option;
import org.stage.api.plugin.Plugin;

/** What users see of a plugin before they run it. */
final class Declarations {
  private Declarations() {}

  /** Holds that names can be typed, and that each thing is described in one line. */
  static void check(Plugin plugin) {
    assertThat(plugin.name()).matches("[a-z][a-z0-9.-]{0,39}");
    assertThat(plugin.description()).isNotBlank().doesNotContain("\n");
    assertThat(plugin.options())
        .allSatisfy(
            option -> {
              assertThat(option.name()).matches("[a-z][a-z0-9_-]*");
              assertThat(option.help()).isNotBlank().doesNotContain("\n");
            });
    assertThat(plugin.options()).extracting(Option::name).doesNotHaveDuplicates();
  }
}
