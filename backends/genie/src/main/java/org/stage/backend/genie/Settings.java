package org.stage.backend.genie;

import java.util.List;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.OptionValues;

/**
 * The user's options.
 *
 * @param merge whether compute nodes that follow one another become one
 * @param ranksPerHost processes on a host
 * @param scaleUp ranks that Genie was compiled to take for one scale-up domain; 1 without
 */
record Settings(boolean merge, int ranksPerHost, int scaleUp) {
  static final List<Option> OPTIONS =
      List.of(
          Option.ofBoolean(
              "merge", true, "make one node of compute nodes without communication between them"),
          Option.ofInteger("ranks-per-host", 1, "processes that a host runs"),
          Option.ofInteger(
              "scale-up", 1, "SCALE_UP_GROUP_SIZE of the build: ranks that exchange nothing"));

  static Settings of(OptionValues options, int devices) {
    int scaleUp = within(options, "scale-up", devices);
    if (devices % scaleUp != 0) {
      throw new InputException(
          "exports.genie.scale-up",
          scaleUp + " does not divide " + devices + " ranks",
          "Genie takes contiguous ranks for one domain.");
    }
    return new Settings(
        options.isSet("merge"), within(options, "ranks-per-host", Integer.MAX_VALUE), scaleUp);
  }

  private static int within(OptionValues options, String name, int limit) {
    long value = options.integer(name);
    if (value < 1 || value > limit) {
      throw new InputException(
          "exports.genie." + name, value + " is not between 1 and " + limit, "Choose one that is.");
    }
    return (int) value;
  }
}
