package org.stage.backend.timeline;

import java.util.List;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.OptionValues;

/**
 * The user's options.
 *
 * @param unit whether each kernel takes a microsecond
 * @param free whether communications take no time
 * @param perGroup whether communications of different groups run beside one another
 * @param gzip whether the timeline is compressed
 * @param arrows whether messages have arrows
 * @param everyRank whether ranks are shown that run at the times of one that is
 * @param kineto whether each rank that is shown is also written as a profile
 */
record Settings(
    boolean unit,
    boolean free,
    boolean perGroup,
    boolean gzip,
    boolean arrows,
    boolean everyRank,
    boolean kineto) {
  static final List<Option> OPTIONS =
      List.of(
          Option.ofChoice(
              "durations",
              List.of("roofline", "unit"),
              "how long kernels take: as measured, else the hardware's roofline (1 us if it is not"
                  + " known); 1 us"),
          Option.ofChoice(
              "communication",
              List.of("network", "free"),
              "how long communications take: bytes over the network's bandwidth, no time"),
          Option.ofChoice(
              "streams",
              List.of("per-group", "one"),
              "which communications of a rank wait for one another: those of a group or peer, all"),
          Option.ofBoolean("gzip", false, "compress the timeline; viewers read that"),
          Option.ofBoolean("arrows", true, "an arrow from each send to its receive"),
          Option.ofBoolean(
              "every-rank",
              false,
              "without --ranks, show all ranks, not one of each that run alike"),
          Option.ofBoolean(
              "kineto", false, "write each rank that is shown as PyTorch's profiler would, too"));

  static Settings of(OptionValues options) {
    return new Settings(
        options.get("durations").equals("unit"),
        options.get("communication").equals("free"),
        options.get("streams").equals("per-group"),
        options.isSet("gzip"),
        options.isSet("arrows"),
        options.isSet("every-rank"),
        options.isSet("kineto"));
  }
}
