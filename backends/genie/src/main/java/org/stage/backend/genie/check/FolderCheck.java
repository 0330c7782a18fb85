package org.stage.backend.genie.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.stage.api.diagnostic.Counted;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Faults;
import org.stage.api.plugin.Progress;
import org.stage.backend.chakra.format.GroupFile;
import org.stage.backend.chakra.format.TraceFormatException;
import org.stage.backend.chakra.format.TraceSet;
import org.stage.backend.genie.format.GenieFiles;
import org.stage.backend.genie.format.Limits;
import org.stage.backend.genie.format.TopologyFile;

/** Checks the folder of a run; for one use. */
public final class FolderCheck {
  private final Path directory;
  private final Faults faults = new Faults(1_000);
  private long ranks;
  private long nodes;
  private int mostGroups;
  private long longestMessage;

  /** Looks at the files in {@code directory}, not at folders in it. */
  public FolderCheck(Path directory) {
    this.directory = directory;
  }

  /** Whether there are traces with a logical topology beside them. */
  public static boolean accepts(Path directory) throws IOException {
    return !topologies(directory).isEmpty() && !sets(directory).isEmpty();
  }

  /** Checks everything; every fault found. */
  public List<Diagnostic> run(Progress progress) throws IOException {
    List<TraceSet> sets = sets(directory);
    if (sets.isEmpty()) {
      faults.error(
          directory.toString(),
          "there are no files named like workload.0.et",
          "Give the folder of a run.");
    }
    for (TraceSet set : sets) {
      check(set, progress);
    }
    return faults.all();
  }

  /** One line: what was looked at. */
  public String summary() {
    return Counted.of(ranks, "rank") + ", " + Counted.of(nodes, "node");
  }

  private void check(TraceSet set, Progress progress) throws IOException {
    int count = set.ranks().size();
    int highest = set.ranks().lastKey();
    if (highest != count - 1) {
      faults.error(
          set.directory().toString(),
          "there are " + count + " traces " + set.prefix() + ", up to rank " + highest,
          "Every rank needs its own.");
    }
    checkTopologies(set, highest + 1);
    Map<String, int[]> groups = groups(set, highest + 1);
    int done = 0;
    for (Map.Entry<Integer, Path> each : set.ranks().entrySet()) {
      RankCheck check = new RankCheck(each.getValue(), each.getKey(), groups, faults);
      check.run();
      nodes += check.nodes();
      ranks++;
      mostGroups = Math.max(mostGroups, check.groups());
      longestMessage = Math.max(longestMessage, check.longestMessage());
      progress.report(++done, count, "ranks");
    }
    warn(set);
  }

  /** A folder may hold topologies for several numbers of ranks; one must be this number's. */
  private void checkTopologies(TraceSet set, int count) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : topologies(set.directory())) {
      OptionalLong product = TopologyFile.ranks(file);
      if (product.isEmpty()) {
        faults.error(
            file.toString(),
            "is no list of sizes in strings",
            "Write {\"logical-dims\": [\"" + count + "\"]}.");
        return;
      }
      found.add(Long.toString(product.getAsLong()));
    }
    if (!found.contains(Integer.toString(count))) {
      faults.error(
          set.directory().toString(),
          "the logical topology has " + String.join(" or ", found) + " ranks, the traces " + count,
          "Their product must be the number of processes.");
    }
  }

  private Map<String, int[]> groups(TraceSet set, int count) throws IOException {
    Path file =
        Optional.of(set.directory().resolve(GenieFiles.GROUPS))
            .filter(Files::isRegularFile)
            .or(set::groupFile)
            .orElse(set.directory());
    if (Files.isDirectory(file)) {
      return Map.of();
    }
    try {
      Map<String, int[]> groups = GroupFile.read(file);
      groups.forEach(
          (name, members) -> checkGroup(file + ", communicator " + name, members, count));
      return groups;
    } catch (TraceFormatException e) {
      faults.error(file + ", byte " + e.offset(), e.problem(), "Write the file again.");
      return Map.of();
    }
  }

  private void checkGroup(String source, int[] members, int count) {
    if (members.length < 2) {
      faults.error(source, "it has " + members.length + " members", "Leave it out.");
    }
    for (int member : members) {
      if (member >= count) {
        faults.error(source, "there is no rank " + member, "Ranks end at " + (count - 1) + ".");
        return;
      }
    }
  }

  private void warn(TraceSet set) {
    if (mostGroups > 1) {
      faults.warning(
          set.directory().toString(),
          "a rank is in " + mostGroups + " communicators",
          "Branch 482788b of Genie keeps one and ignores names: use a newer one.");
    }
    if (longestMessage > Limits.BUFFER) {
      faults.warning(
          set.directory().toString(),
          "a message has " + longestMessage + " bytes, more than a buffer of the public branch",
          "Use a newer Genie, or smaller messages.");
    }
  }

  private static List<TraceSet> sets(Path directory) throws IOException {
    return TraceSet.find(directory).stream()
        .filter(set -> set.directory().equals(directory))
        .toList();
  }

  private static List<Path> topologies(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> TopologyFile.isName(String.valueOf(file.getFileName())))
          .sorted()
          .toList();
    }
  }
}
