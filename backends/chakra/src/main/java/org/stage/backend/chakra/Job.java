package org.stage.backend.chakra;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.plugin.OptionValues;
import org.stage.api.workload.TraceOrigin;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.read.SetReader;

/**
 * What all ranks of one export share.
 *
 * @param devices ranks of all jobs together
 * @param groups communicators met so far
 * @param settings the user's options
 * @param device the device
 * @param findings what the user should know, so far
 * @param imported whether the workload comes from Chakra, and is to be said again as it was
 */
record Job(
    int devices,
    JobGroups groups,
    Settings settings,
    Device device,
    Findings findings,
    boolean imported) {
  static Job of(Workload workload, OptionValues options) {
    Optional<TraceOrigin> origin =
        workload.origin().filter(from -> from.format().equals(SetReader.FORMAT));
    Map<String, List<Integer>> named = origin.map(TraceOrigin::groups).orElse(Map.of());
    return new Job(
        workload.mesh().devices(),
        new JobGroups(workload, named),
        Settings.of(options, origin.isPresent()),
        Device.of(workload),
        new Findings(),
        origin.isPresent());
  }
}
