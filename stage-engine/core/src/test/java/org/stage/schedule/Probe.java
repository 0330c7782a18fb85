package org.stage.schedule;

import org.jspecify.annotations.Nullable;
import org.stage.calibrate.Calibration;

/** A class that knows a later room, and one that knows it, so that a test sees both seen. */
public final class Probe {
  @Nullable Calibration later;

  @Nullable Class<?> circle = org.stage.architecture.Probe.class;
}
