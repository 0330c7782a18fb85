package org.stage.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.app.ReadProfile.Sum;
import org.stage.calibrate.CollectiveInstance;
import org.stage.calibrate.HardwareFit;
import org.stage.calibrate.ProfileSet;

/**
 * What the profiles of one run hold.
 *
 * @param profiles each by itself; what is to be said of one is in its notes
 * @param set all together
 */
public record ProfileResult(List<ReadProfile> profiles, ProfileSet set) {
  /** Copies the list. */
  public ProfileResult {
    profiles = List.copyOf(profiles);
  }

  static ProfileResult of(List<ReadProfile> read) {
    ProfileSet set = ProfileSet.of(read.stream().map(ReadProfile::profile).toList());
    boolean several = set.ranks().size() > 1;
    return new ProfileResult(
        several ? read : read.stream().map(ProfileResult::alone).toList(), set);
  }

  /** With the warning that is due where only one rank was measured. */
  private static ReadProfile alone(ReadProfile read) {
    boolean waits =
        read.profile().operators().stream()
            .map(MeasuredOperator::kind)
            .anyMatch(Kind::isCommunication);
    if (!waits) {
      return read;
    }
    List<Diagnostic> notes = new ArrayList<>(read.notes());
    notes.add(
        Diagnostic.warning(
            read.file().toString(),
            "is of one rank only: the times of its collectives hold waiting for the other ranks,"
                + " and are upper bounds",
            "Name the profiles of several ranks of the same run."));
    return new ReadProfile(read.file(), read.importer(), read.profile(), notes);
  }

  /** Collectives that several ranks measured: how many, and the sum of their shortest times. */
  public Map<Kind, Sum> acrossRanks() {
    Map<Kind, Sum> sums = new TreeMap<>();
    for (CollectiveInstance instance : set.collectives()) {
      sums.merge(instance.kind(), new Sum(1, instance.minNs(), 0, false), Sum::plus);
    }
    return sums;
  }

  /**
   * Writes what the device achieved, as a workload file names it under {@code hardware}.
   *
   * @throws WorkException if the file cannot be written
   */
  public void fitHardware(Path file) {
    String text = HardwareFit.of(profiles.stream().map(ReadProfile::profile).toList());
    Path name = file.getFileName();
    if (name == null) {
      throw new WorkException(file.toString(), "is no file", "Name a file.");
    }
    try {
      Path beside = file.resolveSibling(name + ".tmp");
      Files.writeString(beside, text);
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new WorkException(file.toString(), "cannot be written", "Is its folder there?");
    }
  }
}
