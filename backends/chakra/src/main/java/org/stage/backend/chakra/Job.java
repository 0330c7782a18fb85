package org.stage.backend.chakra;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.plugin.OptionValues;
<<<<<<< HEAD
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Origin;
=======
>>>>>>> 8d3dcd936264e19829aade7ab54c25a135397d04
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
<<<<<<< HEAD
record Job(
    Mesh mesh,
    RankGroups groups,
    Settings settings,
    Device device,
    Findings findings,
    boolean imported) {
=======
record Job(int devices, JobGroups groups, Settings settings, Device device, Findings findings) {
>>>>>>> 8d3dcd936264e19829aade7ab54c25a135397d04
  static Job of(Workload workload, OptionValues options) {
    Optional<Origin> origin =
        workload.origin().filter(from -> from.format().equals(SetReader.FORMAT));
    Map<String, List<Integer>> named = origin.map(Origin::groups).orElse(Map.of());
    return new Job(
<<<<<<< HEAD
        workload.mesh(),
        new RankGroups(workload.mesh(), named),
        Settings.of(options, origin.isPresent()),
=======
        workload.mesh().devices(),
        new JobGroups(),
        Settings.of(options),
>>>>>>> 8d3dcd936264e19829aade7ab54c25a135397d04
        Device.of(workload),
        new Findings(),
        origin.isPresent());
  }
}
