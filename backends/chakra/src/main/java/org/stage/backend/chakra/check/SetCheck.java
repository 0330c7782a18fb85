package org.stage.backend.chakra.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Faults;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Progress;
import org.stage.backend.chakra.format.GroupFile;
import org.stage.backend.chakra.format.NetworkFile;
import org.stage.backend.chakra.format.TraceFormatException;
import org.stage.backend.chakra.format.TraceSet;

/** Checks one trace set: each rank by itself, then all together. */
public final class SetCheck {
  /** Where so many ranks are missing for one that is there, they are not worth listing. */
  private static final int SPARSE = 1000;

  private final TraceSet files;
  private final Faults faults = new Faults(10_000);
  private final Kinds kinds = new Kinds();
  private long nodes;
  private boolean together;

  /** For the set of {@code files}. */
  public SetCheck(TraceSet files) {
    this.files = files;
  }

  /** Nodes read. */
  public long nodes() {
    return nodes;
  }

  /** Reads all files, and returns what is wrong with them. */
  public List<Diagnostic> run(Progress progress) throws IOException {
    if (files.ranks().lastKey() / SPARSE > files.ranks().size()) {
      faults.error(
          files.directory().toString(),
          "there is a file of rank "
              + files.ranks().lastKey()
              + ", but only "
              + files.ranks().size()
              + " ranks have one",
          "Export all ranks. Nothing else was checked.");
      return faults.all();
    }
    int[] dimensions = NetworkFile.sizes(files.directory());
    checkDevices(dimensions);
    Communicators communicators =
        new Communicators(groups(), files.ranks().lastKey() + 1, dimensions);
    communicators
        .twins()
        .forEach(
            (id, other) ->
                faults.warning(
                    files.groupFile().map(Path::toString).orElse(""),
                    "groups " + other + " and " + id + " have the same members",
                    "The simulator counts the collectives of each on its own: use one."));
    SetContext set =
        new SetContext(
            files.ranks().keySet(),
            new TreeSet<>(),
            communicators,
            kinds,
            SystemKeys.of(files.directory()),
            new Names(),
            faults);
    List<RankTrace> ranks = read(set, progress);
    kinds.report(faults, files.directory().toString());
    if (ranks.size() == files.ranks().size()) {
      checkTogether(set, ranks);
    }
    checkAbsent(set);
    return faults.all();
  }

  /**
   * What makes all ranks stand still though each is right by itself; empty if nothing does, or if
   * that cannot be told from these files.
   */
  public Optional<Diagnostic> contradiction() throws IOException {
    run(Progress.NONE);
    return together
        ? faults.all().stream().filter(SetCheck::isError).findFirst()
        : Optional.empty();
  }

  private static boolean isError(Diagnostic diagnostic) {
    return diagnostic.severity() == Severity.ERROR;
  }

  private List<RankTrace> read(SetContext set, Progress progress) throws IOException {
    List<RankTrace> ranks = new ArrayList<>();
    Map<Structure, Structure> known = new HashMap<>();
    RankReader reader = new RankReader(set);
    int done = 0;
    for (Map.Entry<Integer, Path> file : files.ranks().entrySet()) {
      RankTrace rank = reader.read(file.getKey(), file.getValue());
      if (rank != null) {
        nodes += rank.structure.nodes();
        ranks.add(rank.sharing(known));
      }
      progress.report(++done, files.ranks().size(), "ranks");
    }
    return ranks;
  }

  /** What needs all ranks only makes sense when each is right by itself. */
  private void checkTogether(SetContext set, List<RankTrace> ranks) {
    if (faults.errors() > 0) {
      return;
    }
    together = true;
    new CollectiveCheck(set, ranks).run();
    new MessageCheck(set, ranks).run();
    boolean complete = files.ranks().size() == files.ranks().lastKey() + 1;
    if (complete && set.absent().isEmpty() && faults.errors() == 0) {
      new OrderCheck(set, ranks).run();
      if (faults.errors() == 0) {
        new DryRun(set, ranks).run();
      }
    }
  }

  private void checkAbsent(SetContext set) {
    IntStream.range(0, files.ranks().lastKey()).forEach(set::has);
    if (!set.absent().isEmpty()) {
      faults.error(
          files.directory().toString(),
          set.absent().size() + " ranks have no file, such as rank " + set.absent().first(),
          "Export all ranks. How these work together with the others was not checked.");
    }
  }

  private void checkDevices(int[] dimensions) {
    int ranks = files.ranks().lastKey() + 1;
    long devices = NetworkFile.devices(dimensions);
    if (dimensions.length > 0 && devices != ranks) {
      faults.warning(
          files.directory().resolve(NetworkFile.NAME).toString(),
          "the network has " + devices + " devices, but there are " + ranks + " ranks",
          "The simulator runs as many ranks as the network has devices.");
    }
  }

  private Map<String, int[]> groups() throws IOException {
    Optional<Path> file = files.groupFile();
    if (file.isEmpty()) {
      return Map.of();
    }
    try {
      Map<String, int[]> groups = GroupFile.read(file.get());
      for (String id : groups.keySet()) {
        if (!id.matches(NodeCheck.GROUP_ID)) {
          faults.error(
              file.get().toString(),
              "'" + id + "' is the id of a group, on which the simulator aborts",
              "Ids are whole numbers from 1 on.");
        }
      }
      return groups;
    } catch (TraceFormatException e) {
      faults.error(e.file() + ", byte " + e.offset(), e.problem(), "Write the file anew.");
      return Map.of();
    }
  }
}
