package org.stage.backend.chakra.read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.RunContext;
import org.stage.api.plugin.WorkloadImporter.Imported;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.TraceOrigin;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.GroupFile;
import org.stage.backend.chakra.format.NetworkFile;
import org.stage.backend.chakra.format.TraceFormatException;
import org.stage.backend.chakra.format.TraceSet;

/** Reads one trace set; for one use. */
public final class SetReader {
  /** The name of the importer, and of the format. */
  public static final String FORMAT = "chakra";

  private final TraceSet set;
  private final Losses losses = new Losses();
  private final int ranks;
  private final Groups groups;

  private SetReader(TraceSet set) throws IOException {
    this.set = set;
    this.ranks = set.ranks().lastKey() + 1;
    this.groups = new Groups(ranks, NetworkFile.sizes(set.directory()));
  }

  /**
   * Reads the one set in {@code directory}.
   *
   * @throws InputException if there is none or several, or what is there is damaged
   */
  public static Imported read(Path directory, RunContext context) throws IOException {
    try {
      SetReader reader = new SetReader(only(directory));
      return reader.read(context);
    } catch (TraceFormatException e) {
      throw At.refuse(e);
    }
  }

  private static TraceSet only(Path directory) throws IOException {
    List<TraceSet> sets = TraceSet.find(directory);
    if (sets.isEmpty()) {
      sets = TraceSet.findJson(directory);
    }
    if (sets.isEmpty()) {
      throw new InputException(
          directory.toString(),
          "there are no files named like workload.0.et",
          "Give the folder of a trace set.");
    }
    if (sets.size() > 1) {
      List<String> names =
          sets.stream()
              .limit(5)
              .map(set -> set.directory().resolve(At.shown(set.prefix())) + ".*")
              .toList();
      throw new InputException(
          directory.toString(),
          "there are " + sets.size() + " trace sets: " + String.join(", ", names),
          "Give a folder that holds only one.");
    }
    return sets.get(0);
  }

  private Imported read(RunContext context) throws IOException {
    int missing =
        IntStream.range(0, ranks)
            .filter(rank -> !set.ranks().containsKey(rank))
            .findFirst()
            .orElse(ranks);
    if (missing < ranks) {
      throw new InputException(
          set.directory().toString(),
          "rank " + missing + " has no file, but rank " + (ranks - 1) + " has",
          "Give the whole set.");
    }
    readGroups();
    List<RankScan> scans = new ArrayList<>();
    for (Map.Entry<Integer, Path> file : set.ranks().entrySet()) {
      context.checkCancelled();
      scans.add(new RankFile(file.getKey(), ranks, file.getValue()).scan(groups, losses));
      context.progress().report(scans.size(), ranks, "ranks read");
    }
    scans.forEach(RankScan::checkGroups);
    Workload workload =
        new Workload(
            name(),
            "imported",
            new Mesh(List.of(new MeshAxis(Groups.AXIS, ranks))),
            new Precision(DataType.BF16, DataType.BF16, DataType.BF16),
            new Workload.Platform(
                SystemFile.hardware(set.directory()), SystemFile.network(set.directory(), ranks)),
            classes(scans),
            Optional.of(new TraceOrigin(FORMAT, groups.named())));
    return new Imported(workload, notes(), losses.list(set.directory().toString()));
  }

  private void readGroups() throws IOException {
    Optional<Path> file = set.groupFile();
    if (file.isPresent()) {
      for (Map.Entry<String, int[]> group : GroupFile.read(file.get()).entrySet()) {
        // an empty list would mean all ranks to a process group, but says nothing in this file
        if (group.getValue().length > 0) {
          groups.add(group.getKey(), Arrays.stream(group.getValue()).boxed().toList());
        }
      }
    }
  }

  /** Ranks whose files are equal, and mean the same on each, are one class. */
  private List<RankClass> classes(List<RankScan> scans) throws IOException {
    List<List<RankScan>> classes = new ArrayList<>();
    Map<Long, List<List<RankScan>>> bySum = new HashMap<>();
    for (RankScan scan : scans) {
      List<List<RankScan>> candidates =
          scan.relative()
              ? new ArrayList<>()
              : bySum.computeIfAbsent(checksum(scan.rank().file()), sum -> new ArrayList<>());
      List<RankScan> alike = find(scan, candidates);
      if (alike.isEmpty()) {
        candidates.add(alike);
        classes.add(alike);
      }
      alike.add(scan);
    }
    return classes.stream()
        .map(
            alike ->
                new RankClass(
                    0,
                    RankSet.of(alike.stream().mapToInt(each -> each.rank().rank())),
                    () -> alike.get(0).rank().graph(groups, alike.get(0).ordered())))
        .toList();
  }

  private static List<RankScan> find(RankScan scan, List<List<RankScan>> candidates)
      throws IOException {
    for (List<RankScan> candidate : candidates) {
      if (Files.mismatch(candidate.get(0).rank().file(), scan.rank().file()) < 0) {
        return candidate;
      }
    }
    return new ArrayList<>();
  }

  /** Tells most files apart; a cryptographic one takes as long as the reading of the nodes. */
  private static long checksum(Path file) throws IOException {
    CRC32 sum = new CRC32();
    try (var in = Files.newInputStream(file)) {
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        sum.update(buffer, 0, read);
      }
    }
    return sum.getValue();
  }

  /** What begins the names of exported files: a name from outside is taken only if it is tame. */
  private String name() {
    String prefix = set.prefix();
    boolean tame =
        prefix.matches("[A-Za-z0-9][\\w.+-]{0,99}")
            && !prefix.toLowerCase(Locale.ROOT).contains("empty")
            && !List.of("system", "system-1d", "memory").contains(prefix);
    return tame ? prefix : "workload";
  }

  private List<Diagnostic> notes() {
    List<Diagnostic> notes = new ArrayList<>();
    if (!name().equals(set.prefix())) {
      notes.add(
          note(
              "the prefix '" + At.shown(set.prefix()) + "' was not taken over",
              "The files are named workload."));
    }
    notes.add(
        note(
            "Chakra has no element types, shapes or phases",
            "Sizes are in bytes, products have no shape, and phases are guessed from names."));
    return notes;
  }

  private Diagnostic note(String message, String remedy) {
    return new Diagnostic(Severity.NOTE, set.directory().toString(), message, remedy);
  }
}
