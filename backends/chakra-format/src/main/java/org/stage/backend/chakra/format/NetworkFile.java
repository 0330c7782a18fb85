package org.stage.backend.chakra.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.stage.backend.chakra.format.AstraSimFiles.Dimension;
import org.stage.backend.chakra.format.AstraSimFiles.Topology;

/** The simulator's {@code network.yml} beside a trace set. */
public final class NetworkFile {
  /** Its name. */
  public static final String NAME = "network.yml";

  /** A file that is longer is no network. */
  private static final int MAX_SIZE = 1 << 20;

  private NetworkFile() {}

  /** Devices by dimension, innermost first; empty if there is no such file, or it does not say. */
  public static int[] sizes(Path directory) throws IOException {
    List<String> sizes = list(text(directory), "npus_count");
    return sizes.stream().allMatch(size -> size.matches("\\d{1,9}"))
        ? sizes.stream().mapToInt(Integer::parseInt).toArray()
        : new int[0];
  }

  /** Devices of a network of these dimensions; {@link Long#MAX_VALUE} of any that is larger. */
  public static long devices(int... sizes) {
    long devices = 1;
    for (int size : sizes) {
      boolean fits = size == 0 || devices <= Long.MAX_VALUE / size;
      devices = fits ? devices * size : Long.MAX_VALUE;
    }
    return devices;
  }

  /** The dimensions, innermost first; empty if there is no such file, or it is not whole. */
  public static List<Dimension> read(Path directory) throws IOException {
    String text = text(directory);
    int[] sizes = sizes(directory);
    List<String> topologies = list(text, "topology");
    List<Double> bandwidths = numbers(text, "bandwidth");
    List<Double> latencies = numbers(text, "latency");
    boolean whole =
        Stream.of(topologies, bandwidths, latencies).allMatch(each -> each.size() == sizes.length)
            && topologies.stream().allMatch(NetworkFile::isTopology);
    if (!whole) {
      return List.of();
    }
    return IntStream.range(0, sizes.length)
        .mapToObj(
            i ->
                new Dimension(
                    topology(topologies.get(i)),
                    sizes[i],
                    bandwidths.get(i) * (1 << 30) / 1e9,
                    latencies.get(i)))
        .toList();
  }

  private static String text(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    return Files.isRegularFile(file) && Files.size(file) <= MAX_SIZE
        ? new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1)
        : "";
  }

  private static List<String> list(String text, String key) {
    Matcher list =
        Pattern.compile("^" + key + "\\s*:\\s*\\[([^\\]\\n]*)]", Pattern.MULTILINE).matcher(text);
    return list.find() ? List.of(list.group(1).strip().split("\\s*,\\s*")) : List.of();
  }

  private static List<Double> numbers(String text, String key) {
    List<String> numbers = list(text, key);
    return numbers.stream().allMatch(each -> each.matches("\\d{1,15}(\\.\\d{0,15})?"))
        ? numbers.stream().map(Double::valueOf).toList()
        : List.of();
  }

  private static boolean isTopology(String text) {
    return Stream.of(Topology.values()).anyMatch(each -> each.toString().equals(text));
  }

  private static Topology topology(String text) {
    return Stream.of(Topology.values())
        .filter(each -> each.toString().equals(text))
        .findFirst()
        .orElseThrow();
  }
}
