package org.stage.backend.chakra.check;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.stage.backend.chakra.format.proto.Node;

/**
 * What {@code system.json} beside the traces says that decides whether nodes run. Where there is no
 * such file, nothing is known of how they will be run.
 */
final class SystemKeys {
  private static final String NAME = "system.json";

  /** A number, or a truth value, which ASTRA-sim compares with 0 and takes for a yes either way. */
  private static final String VALUE = "\"\\s*:\\s*(true|false|[-+.0-9eE]+)";

  private final Optional<String> text;

  private SystemKeys(Optional<String> text) {
    this.text = text;
  }

  /** Those of a folder. */
  static SystemKeys of(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    try {
      return new SystemKeys(
          Files.isRegularFile(file) ? Optional.of(Files.readString(file)) : Optional.empty());
    } catch (MalformedInputException e) {
      return new SystemKeys(Optional.empty());
    }
  }

  /** The bytes below which an all-gather never ends; empty if it is not known. */
  OptionalDouble splits() {
    return number("preferred-dataset-splits");
  }

  /** Whether compute nodes are priced by their operations and bytes, whatever they say to last. */
  boolean hasRoofline() {
    return value("roofline-enabled").map(value -> parsed(value).orElse(1) != 0).orElse(false);
  }

  /** Nanoseconds of a kernel by the roofline; empty if it is not known. */
  OptionalDouble nanoseconds(double operations, double bytes) {
    OptionalDouble peak = number("peak-perf");
    OptionalDouble memory = number("local-mem-bw");
    if (!hasRoofline() || peak.isEmpty() || memory.isEmpty()) {
      return OptionalDouble.empty();
    }
    // TFLOP/s and GB/s: thousands of operations, and bytes, a nanosecond
    double rate = Math.min(memory.getAsDouble() * operations / bytes, peak.getAsDouble() * 1e3);
    return OptionalDouble.of(operations / rate);
  }

  /** Whether nothing comes before a node, so that it is issued at the very beginning. */
  static boolean isRoot(Node node) {
    return node.getDataDepsCount() == 0 && node.getCtrlDepsCount() == 0;
  }

  private OptionalDouble number(String key) {
    return value(key).map(SystemKeys::parsed).orElse(OptionalDouble.empty());
  }

  private static OptionalDouble parsed(String value) {
    try {
      return OptionalDouble.of(Double.parseDouble(value));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  private Optional<String> value(String key) {
    Matcher found = Pattern.compile('"' + key + VALUE).matcher(text.orElse(""));
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }
}
