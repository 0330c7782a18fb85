package org.stage.backend.chakra.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of one job: {@code prefix.rank.et} and the file of its communicators.
 *
 * @param directory where they lie
 * @param prefix what their names begin with
 * @param ranks file by rank
 */
public record TraceSet(Path directory, String prefix, SortedMap<Integer, Path> ranks) {
  private static final Pattern NAME = Pattern.compile("(.*)\\.(\\d{1,9})\\.et(\\.gz)?");

  /** How deep below a given folder sets are looked for: an output folder holds one per backend. */
  private static final int DEPTH = 3;

  /** The name of a rank's file. */
  public static String fileName(String prefix, int rank) {
    return prefix + "." + rank + ".et";
  }

  /** The sets in and below {@code directory}, by place and prefix. */
  public static List<TraceSet> find(Path directory) throws IOException {
    SortedMap<String, TraceSet> sets = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory, DEPTH)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        Path parent = file.getParent();
        if (name.matches() && parent != null) {
          sets.computeIfAbsent(
                  parent + "\0" + name.group(1),
                  key -> new TraceSet(parent, name.group(1), new TreeMap<>()))
              .ranks
              .put(Integer.parseInt(name.group(2)), file);
        }
      }
    }
    return new ArrayList<>(sets.values());
  }

  /** Whether a set lies in or below {@code directory}; stops at the first file of one. */
  public static boolean any(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory, DEPTH)) {
      return files.anyMatch(file -> NAME.matcher(String.valueOf(file.getFileName())).matches());
    }
  }

  /** The file of communicators, under the names in use. */
  public Optional<Path> groupFile() {
    return Stream.of(
            prefix + ".json", "comm_group.json", "comm_groups.json", prefix + ".comm_group.json")
        .map(directory::resolve)
        .filter(Files::isRegularFile)
        .findFirst();
  }
}
