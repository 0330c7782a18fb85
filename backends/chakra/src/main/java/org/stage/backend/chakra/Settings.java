package org.stage.backend.chakra;

import java.util.List;
import java.util.Locale;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.OptionValues;

/**
 * The user's options.
 *
 * @param order what the order of communication is written between
 * @param groups how collectives say their groups
 * @param controlEdges whether it goes to {@code ctrl_deps}
 * @param gzip whether files are compressed
 * @param tensors whether nodes list their tensors
 */
record Settings(Order order, Groups groups, boolean controlEdges, boolean gzip, boolean tensors) {
  static final List<Option> OPTIONS =
      List.of(
          Option.ofChoice(
              "order",
              List.of("auto", "total", "per-group", "none"),
              "order of communication as dependencies: total (ASTRA-sim needs it), per-group, none;"
                  + " auto: total, but none for a Chakra trace that was read, which has its own"),
          Option.ofChoice(
              "groups",
              List.of("auto", "dimensions", "members"),
              "how collectives name their groups: by network dimensions where they are products of"
                  + " whole ones (ASTRA-sim prices others wrongly), or by lists of members (its"
                  + " congestion-aware backend needs them); auto: dimensions on networks of"
                  + " several"),
          Option.ofChoice(
              "order-edges",
              List.of("auto", "data", "ctrl"),
              "where that order and control dependencies go: data (old feeders see only these),"
                  + " ctrl; auto: data, but ctrl for a Chakra trace that was read"),
          Option.ofBoolean(
              "gzip", false, "compress the traces; only feeders before August 2025 read that"),
          Option.ofBoolean(
              "tensors", false, "list each node's tensors, for memory tracking in the simulator"));

  /** Which collectives and sends of a rank wait for one another. */
  enum Order {
    /** All of them: for an engine with one communication slot per rank. */
    TOTAL,
    /** Those of one communicator, or to one peer. */
    PER_GROUP,
    /** Only those that depend on one another. */
    NONE
  }

  /** How collectives say with whom they communicate. */
  enum Groups {
    /** By dimensions, on a network of several; but not for a Chakra trace that was read. */
    AUTO,
    /** By dimensions, as far as they can be. */
    DIMENSIONS,
    /** By lists of members. */
    MEMBERS
  }

  /**
   * The settings of one export.
   *
   * @param imported whether the workload comes from Chakra, and is to be said again as it was
   */
  static Settings of(OptionValues options, boolean imported) {
    Order order =
        switch (options.get("order")) {
          case "per-group" -> Order.PER_GROUP;
          case "none" -> Order.NONE;
          case "total" -> Order.TOTAL;
          default -> imported ? Order.NONE : Order.TOTAL;
        };
    String edges = options.get("order-edges");
    return new Settings(
        order,
        Groups.valueOf(options.get("groups").toUpperCase(Locale.ROOT)),
        edges.equals("ctrl") || (imported && edges.equals("auto")),
        options.isSet("gzip"),
        options.isSet("tensors"));
  }
}
