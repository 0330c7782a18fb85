package org.stage.workloadfile;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.stage.job.Origin;

/** Finds the files that a workload file names. */
final class Located {
  private Located() {}

  /**
   * What is typed in a file is meant from its folder, what is typed in a shell from there.
   *
   * @param workload the workload file
   * @param name the path as typed
   * @param origin where it is typed
   */
  static Path find(Path workload, SourceNode.Scalar name, Origin origin) {
    Path typed;
    try {
      typed = Path.of(name.raw());
    } catch (InvalidPathException e) {
      throw origin.fault(name.text() + " is not a path", "");
    }
    List<Path> candidates = new ArrayList<>(List.of(workload.resolveSibling(typed)));
    if (!candidates.contains(typed)) {
      candidates.add(name.origin().isOption() ? 0 : 1, typed);
    }
    return candidates.stream()
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(
            () ->
                origin.fault(
                    "there is no file " + name.text(),
                    candidates.stream()
                            .map(Path::toString)
                            .collect(Collectors.joining(" and ", "Looked for ", "."))
                        + NotAWorkload.hubRemedy(name.raw())));
  }
}
