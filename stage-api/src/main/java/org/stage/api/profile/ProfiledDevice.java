package org.stage.api.profile;

import java.util.Objects;

/**
 * The device of a profile, as far as the profile says.
 *
 * @param name its name, for example {@code NVIDIA H100 80GB HBM3}; empty if not said
 * @param memoryBytes its memory, bytes; 0 if not said
 * @param multiprocessors its multiprocessors or compute units; 0 if not said
 * @param capability its compute capability, for example {@code 9.0}; empty if not said
 */
public record ProfiledDevice(
    String name, long memoryBytes, int multiprocessors, String capability) {
  /** A device of which nothing is known. */
  public static final ProfiledDevice UNKNOWN = new ProfiledDevice("", 0, 0, "");

  /** Checks that nothing is missing. */
  public ProfiledDevice {
    Objects.requireNonNull(name);
    Objects.requireNonNull(capability);
  }
}
