package org.stage.backend.chakra.format;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.jspecify.annotations.Nullable;

/**
 * The files of one job: {@code prefix.rank.et} and the file of its communicators.
 *
 * @param directory where they lie
 * @param prefix what their names begin with
 * @param ranks file by rank
 */
public record TraceSet(Path directory, String prefix, SortedMap<Integer, Path> ranks) {
  private static final Pattern NAME = Pattern.compile("(.*)\\.(\\d{1,9})\\.et(\\.gz)?");

  private static final Pattern JSON_NAME = Pattern.compile("(.*)\\.(\\d{1,9})\\.json(\\.gz)?");

  /** How deep below a given folder sets are looked for: an output folder holds one per backend. */
  private static final int DEPTH = 3;

  /** The name of a rank's file. */
  public static String fileName(String prefix, int rank) {
    return prefix + "." + rank + ".et";
  }

  /** Whether a file is named like one of the JSON form. */
  static boolean isJson(Path file) {
    return JSON_NAME.matcher(String.valueOf(file.getFileName())).matches();
  }

  /**
   * The sets in and below {@code directory}, by place and prefix.
   *
   * @throws TraceFormatException if a rank has two files
   */
  public static List<TraceSet> find(Path directory) throws IOException {
    return find(directory, NAME);
  }

  /** The sets of the JSON form, which are told from other JSON files by what they begin with. */
  public static List<TraceSet> findJson(Path directory) throws IOException {
    List<TraceSet> sets = new ArrayList<>();
    for (TraceSet set : find(directory, JSON_NAME)) {
      if (looksLikeNodes(set.ranks().get(set.ranks().firstKey()))) {
        sets.add(set);
      }
    }
    return sets;
  }

  private static List<TraceSet> find(Path directory, Pattern pattern) throws IOException {
    SortedMap<String, TraceSet> sets = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory, DEPTH)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Matcher name = pattern.matcher(String.valueOf(file.getFileName()));
        Path parent = file.getParent();
        if (name.matches() && parent != null) {
          Path other =
              sets.computeIfAbsent(
                      parent + "\0" + name.group(1),
                      key -> new TraceSet(parent, name.group(1), new TreeMap<>()))
                  .ranks
                  .put(Integer.parseInt(name.group(2)), file);
          if (other != null) {
            throw new TraceFormatException(
                file, 0, "is of the same rank as " + other.getFileName(), null);
          }
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return new ArrayList<>(sets.values());
  }

  private static boolean looksLikeNodes(@Nullable Path file) throws IOException {
    if (file == null) {
      return false;
    }
    try (NodeSource source = NodeSource.open(file)) {
      return source.next() != null;
    } catch (TraceFormatException e) {
      return false;
    }
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
            prefix + ".json",
            "comm_group.json",
            "comm_groups.json",
            prefix + ".comm_group.json",
            prefix + "_comm_group.json",
            "comm_group_" + prefix + ".json")
        .map(directory::resolve)
        .filter(Files::isRegularFile)
        .findFirst();
  }
}
