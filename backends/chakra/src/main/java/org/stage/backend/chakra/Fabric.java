package org.stage.backend.chakra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.format.AstraSimFiles.Dimension;
import org.stage.backend.chakra.format.AstraSimFiles.Topology;
import org.stage.backend.chakra.format.NetworkFile;

/**
 * The network as ASTRA-sim sees it. Ranks are numbered along its dimensions, the innermost first; a
 * hop between two ranks costs what the first dimension costs in which they differ, even if they
 * differ in a slower one too.
 *
 * @param dimensions innermost first, each of two devices or more; none for one device
 */
record Fabric(List<Dimension> dimensions) {
  private static final double DEFAULT_GB_PER_S = 50;
  private static final double DEFAULT_LATENCY_NS = 500;

  /** Copies the list. */
  Fabric {
    dimensions = List.copyOf(dimensions);
  }

  /**
   * The user's network; else a switch for each axis of the mesh, on which its groups are a
   * dimension.
   *
   * @throws InputException if the network has another size than the mesh
   */
  static Fabric of(Workload workload) {
    if (workload.network().isEmpty()) {
      return new Fabric(
          workload.mesh().axes().stream()
              .filter(axis -> axis.degree() > 1)
              .map(Fabric::defaultDimension)
              .toList());
    }
    int[] sizes = workload.network().stream().mapToInt(NetworkDimension::size).toArray();
    long size = NetworkFile.devices(sizes);
    if (size != workload.mesh().devices()) {
      throw new InputException(
          "network",
          "its sizes multiply to " + size + ", but the mesh has " + workload.mesh().devices(),
          "Change a size, or leave the network out.");
    }
    return new Fabric(
        workload.network().stream()
            .filter(dimension -> dimension.size() > 1)
            .map(Fabric::dimension)
            .toList());
  }

  private static Dimension defaultDimension(MeshAxis axis) {
    return new Dimension(Topology.SWITCH, axis.degree(), DEFAULT_GB_PER_S, DEFAULT_LATENCY_NS);
  }

  /** Where each is connected to each, the simulator wants the bandwidth of one of the links. */
  private static Dimension dimension(NetworkDimension given) {
    double gbPerS = given.gbPerS();
    return switch (given.topology()) {
      case RING -> new Dimension(Topology.RING, given.size(), gbPerS, given.latencyNs());
      case SWITCH -> new Dimension(Topology.SWITCH, given.size(), gbPerS, given.latencyNs());
      case FULLY_CONNECTED ->
          new Dimension(
              Topology.FULLY_CONNECTED,
              given.size(),
              gbPerS / (given.size() - 1),
              given.latencyNs());
    };
  }

  /** Whether hops cost the same between any two neighbours. */
  boolean isFlat() {
    return dimensions.size() < 2;
  }

  /**
   * The same with dimensions cut at numbers of ranks, as far as these divide them.
   *
   * @param edges ranks of which a block is to be a product of whole dimensions
   */
  Fabric split(SortedSet<Integer> edges) {
    List<Dimension> parts = new ArrayList<>();
    int inside = 1;
    for (Dimension dimension : dimensions) {
      int begin = inside;
      int end = inside * dimension.size();
      for (int edge : edges.subSet(begin + 1, end)) {
        if (edge % inside == 0 && end % edge == 0) {
          parts.add(part(dimension, edge / inside, inside / begin));
          inside = edge;
        }
      }
      parts.add(part(dimension, end / inside, inside / begin));
      inside = end;
    }
    return new Fabric(parts);
  }

  /** Of a ring, each {@code stride}-th device is as many hops away. */
  private static Dimension part(Dimension whole, int size, int stride) {
    int hops = whole.topology() == Topology.RING ? stride : 1;
    return new Dimension(whole.topology(), size, whole.gbPerS(), whole.latencyNs() * hops);
  }

  /**
   * By dimension, whether the members differ in it, if they are all the ranks that differ from one
   * another in these dimensions only.
   */
  Optional<List<Boolean>> involved(int[] members) {
    boolean[] differ = new boolean[dimensions.size()];
    for (int member : members) {
      int[] differences = differences(members[0], member);
      Arrays.stream(differences).forEach(i -> differ[i] = true);
    }
    long product =
        IntStream.range(0, differ.length)
            .filter(i -> differ[i])
            .mapToLong(i -> dimensions.get(i).size())
            .reduce(1, Math::multiplyExact);
    return product == members.length
        ? Optional.of(IntStream.range(0, differ.length).mapToObj(i -> differ[i]).toList())
        : Optional.empty();
  }

  /** The dimensions in which two ranks differ, ascending. */
  private int[] differences(int one, int other) {
    int[] found = new int[dimensions.size()];
    int count = 0;
    int here = one;
    int there = other;
    for (int i = 0; here != there; i++) {
      int size = dimensions.get(i).size();
      if (here % size != there % size) {
        found[count++] = i;
      }
      here /= size;
      there /= size;
    }
    return Arrays.copyOf(found, count);
  }

  /** How many times as fast as on the network a message is in the simulator. */
  double tooFast(int source, int destination) {
    int[] differ = differences(source, destination);
    return differ.length == 0 ? 1 : slowest(differ) / linkTime(differ[0]);
  }

  /**
   * How many times as fast as on the network a collective of a listed group is in the simulator,
   * latencies apart. There it is one ring of the members in order; on the network it goes through
   * the dimensions in which they lie, or, where they lie unevenly, at the pace of the slowest.
   */
  double tooFast(int[] members) {
    double priced = 0;
    double slowest = 0;
    for (int i = 0; i < members.length; i++) {
      int[] differ = differences(members[i], members[(i + 1) % members.length]);
      priced += linkTime(differ[0]) / members.length;
      slowest = Math.max(slowest, slowest(differ));
    }
    double others = (members.length - 1.0) / members.length;
    return phases(members).orElse(slowest * others) / (priced * others);
  }

  /** Nanoseconds for a byte of the input, phase by phase; empty where members lie unevenly. */
  private OptionalDouble phases(int[] members) {
    double sum = 0;
    double inside = 1;
    List<Integer> blocks = Arrays.stream(members).boxed().toList();
    for (int i = 0; i < dimensions.size(); i++) {
      int size = dimensions.get(i).size();
      Map<Integer, Long> outside =
          blocks.stream()
              .collect(Collectors.groupingBy(each -> each / size, Collectors.counting()));
      if (Set.copyOf(outside.values()).size() > 1) {
        return OptionalDouble.empty();
      }
      double along = (double) blocks.size() / outside.size();
      sum += (along - 1) / along / inside * linkTime(i) / links(i, along);
      inside *= along;
      blocks = List.copyOf(outside.keySet());
    }
    return OptionalDouble.of(sum);
  }

  /** Over how many links a member sends at once. */
  private double links(int dimension, double members) {
    boolean many = dimensions.get(dimension).topology() == Topology.FULLY_CONNECTED;
    return many && members > 1 ? members - 1 : 1;
  }

  private double slowest(int[] among) {
    return Arrays.stream(among).mapToDouble(this::linkTime).max().orElse(0);
  }

  /** Nanoseconds for a byte on one link. */
  private double linkTime(int dimension) {
    return 1 / dimensions.get(dimension).gbPerS();
  }
}
