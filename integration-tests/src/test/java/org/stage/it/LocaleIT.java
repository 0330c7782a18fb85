package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Paths beyond ASCII where the locale is C, POSIX, none at all or one that is not installed, as in
 * most containers. The shell makes them: the JVM that runs this test may have such a locale itself.
 */
class LocaleIT {
  private static final String SCRIPT =
      """
      set -eu
      odd=$(printf 'gr\\303\\266\\303\\237e')
      mkdir -p "$odd/$odd/bin"
      cp "$0/bin/stage" "$odd/$odd/bin/stage"
      for each in lib plugins examples; do ln -s "$0/$each" "$odd/$odd/$each"; done
      cp "$0/examples/dense-tiny.yaml" "$odd/$odd.yaml"
      "$odd/$odd/bin/stage" synth "$odd/$odd.yaml" --to chakra --out "$odd/out $odd"
      test -s "$odd/out $odd/chakra/workload.0.et"
      "$odd/$odd/bin/stage" validate "$odd/out $odd/chakra"
      rm "$odd/$odd/lib" "$odd/$odd/plugins" "$odd/$odd/examples"
      """;

  @TempDir Path temp;

  static Stream<Map<String, String>> locales() {
    return Stream.of(
        Map.of("LC_ALL", "C"),
        Map.of("LC_ALL", "POSIX"),
        Map.of("LC_ALL", "", "LANG", ""),
        Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", "xx_XX.UTF-8"));
  }

  @ParameterizedTest
  @MethodSource("locales")
  void pathsBeyondAsciiWork(Map<String, String> locale) throws Exception {
    Map<String, String> environment = new TreeMap<>(locale);
    environment.put("STAGE_ARCHIVE", "off");
    environment.put("STAGE_PLUGIN_HOME", "no-plugins");

    Command run =
        Command.run(
            temp, environment, "sh", "-c", SCRIPT, Command.DIST.toAbsolutePath().toString());

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("no faults");
  }
}
