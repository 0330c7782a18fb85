package org.stage.backend.simai;

import java.util.List;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.OptionValues;
import org.stage.api.plugin.Parallelism;

/**
 * The user's options.
 *
 * @param stage which pipeline stages get a file
 * @param unitTimes whether each entry computes 1 ns, instead of what the roofline says
 * @param foldsContext whether context parallelism is told as tensor parallelism
 * @param vpp chunks of layers a stage has, by which SimAI divides the bubble; 0 for those of the
 *     schedule
 * @param gpusPerServer devices of the scale-up domain; 0 to see from the network
 */
record Settings(Stage stage, boolean unitTimes, boolean foldsContext, int vpp, int gpusPerServer) {
  static final List<Option> OPTIONS =
      List.of(
          Option.ofChoice(
              "stage",
              List.of("heaviest", "first", "last", "all"),
              "the pipeline stage whose rows are written; all: a file for each"),
          Option.ofChoice(
              "compute_times",
              List.of("roofline", "unit"),
              "roofline: from the hardware's peaks; unit: 1 ns each, for communication alone"),
          Option.ofChoice(
              "context_parallel",
              List.of("refuse", "fold"),
              "what to do with cp, which SimAI does not know: fold counts it into tp"),
          Option.ofInteger(
              "vpp", 0, "chunks of a stage, which divide the bubble; 0: as the schedule has them"),
          Option.ofInteger(
              "gpus_per_server", 0, "devices of a server in run.sh; 0: the innermost network"));

  private static final int MOST = 1 << 20;

  /** Which stages get a file. */
  enum Stage {
    /** The one that computes longest. */
    HEAVIEST,
    /** The one with the embedding. */
    FIRST,
    /** The one with the loss. */
    LAST,
    /** Each its own. */
    ALL
  }

  static Settings of(OptionValues options) {
    Stage stage =
        switch (options.get("stage")) {
          case "first" -> Stage.FIRST;
          case "last" -> Stage.LAST;
          case "all" -> Stage.ALL;
          default -> Stage.HEAVIEST;
        };
    return new Settings(
        stage,
        options.get("compute_times").equals("unit"),
        options.get("context_parallel").equals("fold"),
        count(options, "vpp", 0),
        count(options, "gpus_per_server", 0));
  }

  /** What can be said with these options. */
  Capabilities capabilities(Capabilities usual) {
    return foldsContext ? usual.with(Parallelism.CONTEXT) : usual;
  }

  private static int count(OptionValues options, String name, int least) {
    long value = options.integer(name);
    if (value < least || value > MOST) {
      throw new InputException(
          name, value + " is not in " + least + " to " + MOST, "Give a number of that range.");
    }
    return (int) value;
  }
}
