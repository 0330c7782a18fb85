package org.stage.backend.chakra;

import org.stage.api.plugin.OptionValues;
import org.stage.api.workload.Workload;

/**
 * What all ranks of one export share.
 *
 * @param devices ranks of all jobs together
 * @param groups communicators met so far
 * @param settings the user's options
 * @param device the device
 * @param findings what the user should know, so far
 */
record Job(int devices, JobGroups groups, Settings settings, Device device, Findings findings) {
  static Job of(Workload workload, OptionValues options) {
    return new Job(
        workload.mesh().devices(),
        new JobGroups(),
        Settings.of(options),
        Device.of(workload),
        new Findings());
  }
}
