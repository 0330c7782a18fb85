package org.stage.backend.chakra;

import org.stage.api.plugin.OptionValues;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Workload;

/**
 * What all ranks of one export share.
 *
 * @param mesh the device mesh
 * @param groups communicators met so far
 * @param settings the user's options
 * @param device the device
 * @param findings what the user should know, so far
 */
record Job(Mesh mesh, RankGroups groups, Settings settings, Device device, Findings findings) {
  static Job of(Workload workload, OptionValues options) {
    return new Job(
        workload.mesh(),
        new RankGroups(workload.mesh()),
        Settings.of(options),
        Device.of(workload),
        new Findings());
  }
}
