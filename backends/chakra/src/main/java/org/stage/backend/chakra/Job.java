package org.stage.backend.chakra;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.OptionValues;
import org.stage.api.workload.TraceOrigin;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.read.SetReader;

/**
 * What all ranks of one export share.
 *
 * @param devices ranks of all jobs together
 * @param groups communicators met so far
 * @param mispriced what the simulator prices otherwise than that network
 * @param settings the user's options
 * @param device the device
 * @param findings what the user should know, so far
 * @param imported whether the workload comes from Chakra, and is to be said again as it was
 */
record Job(
    int devices,
    JobGroups groups,
    Mispriced mispriced,
    Settings settings,
    Device device,
    Findings findings,
    boolean imported) {
  static Job of(Workload workload, OptionValues options) {
    Optional<TraceOrigin> origin =
        workload.origin().filter(from -> from.format().equals(SetReader.FORMAT));
    Map<String, List<Integer>> named = origin.map(TraceOrigin::groups).orElse(Map.of());
    Settings settings = Settings.of(options, origin.isPresent());
    DimensionGroups byDimension = byDimension(workload, settings, origin.isPresent());
    return new Job(
        workload.mesh().devices(),
        new JobGroups(workload, named, byDimension),
        new Mispriced(byDimension.fabric()),
        settings,
        Device.of(workload),
        new Findings(),
        origin.isPresent());
  }

  /**
   * Groups are said by dimensions only in the order of one communication slot, in which a
   * collective's number is the same on all its members.
   */
  private static DimensionGroups byDimension(
      Workload workload, Settings settings, boolean imported) {
    Fabric fabric = Fabric.of(workload);
    boolean allowed = !imported && settings.order() == Settings.Order.TOTAL;
    boolean wanted =
        switch (settings.groups()) {
          case AUTO -> allowed && !fabric.isFlat();
          case DIMENSIONS -> require(allowed);
          case MEMBERS -> false;
        };
    return wanted ? DimensionGroups.of(workload, fabric) : DimensionGroups.none(fabric);
  }

  private static boolean require(boolean allowed) {
    if (!allowed) {
      throw new InputException(
          "groups",
          "is dimensions, by which collectives are matched by their number on each rank",
          "Take order: total for it, or groups: members for a trace that was read.");
    }
    return true;
  }
}
