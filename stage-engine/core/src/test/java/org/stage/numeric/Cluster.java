package org.stage.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.stage.api.graph.Module;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.SubAxis;
import org.stage.parallel.DeviceMesh;
import org.stage.parallel.Layout;
import org.stage.parallel.ShardingRules;
import org.stage.parallel.Standard;

/**
 * Simulated devices: which part of a tensor each of them has, who is in whose group, and what the
 * collectives do.
 */
public final class Cluster {
  private final DeviceMesh devices;
  private final ShardingRules rules;
  private final Map<String, Long> bindings;
  private final Map<String, Integer> sizes = new HashMap<>();

  /** Devices for a module whose symbols have the values of {@code sizes}. */
  Cluster(DeviceMesh devices, ShardingRules rules, Module module, Map<String, Long> sizes) {
    this.devices = devices;
    this.rules = rules;
    this.bindings = new HashMap<>(sizes);
    bindings.putAll(devices.degrees());
    module.axes().forEach(a -> this.sizes.put(a.name(), (int) a.size().evaluate(sizes)));
  }

  /** Devices that only communicate. */
  public Cluster(DeviceMesh devices) {
    this.devices = devices;
    this.rules = Standard.rules(Map.of());
    this.bindings = Map.of();
  }

  DeviceMesh devices() {
    return devices;
  }

  ShardingRules rules() {
    return rules;
  }

  /** Values of the symbols, degrees included. */
  Map<String, Long> bindings() {
    return bindings;
  }

  public int ranks() {
    return mesh().devices();
  }

  private Mesh mesh() {
    return devices.mesh();
  }

  /** The coordinate of a rank on an axis of the device mesh. */
  int coordinate(int rank, int meshAxis) {
    SubAxis part = devices.axes().get(meshAxis).part();
    int inner = mesh().degree(part.axis()) / (part.pre() * part.size());
    return mesh().coordinate(rank, part.axis()) / inner % part.size();
  }

  int degree(int meshAxis) {
    return devices.axes().get(meshAxis).part().size();
  }

  /** The place of a rank among those that differ along {@code axes}, the first varying slowest. */
  public int place(int rank, List<Integer> axes) {
    return axes.stream().reduce(0, (place, m) -> place * degree(m) + coordinate(rank, m));
  }

  /**
   * The token that stands in a row of an expert which meets all of them: each rank has the rows of
   * its own tokens, in their order.
   */
  int token(int row) {
    int rows = sizes.get("token_slot");
    for (int rank = 0; rank < ranks(); rank++) {
      List<Integer> of = rules.rules().getOrDefault("token_slot", List.of());
      int here = rows / count(of);
      if (row / here == place(rank, of)) {
        List<Integer> batch = rules.rules().getOrDefault("batch", List.of());
        List<Integer> seq = rules.rules().getOrDefault("routed_seq", List.of());
        int width = sizes.get("routed_seq") / count(seq);
        int sample = row % here / width + place(rank, batch) * (sizes.get("batch") / count(batch));
        return sample * sizes.get("routed_seq") + place(rank, seq) * width + row % here % width;
      }
    }
    throw new AssertionError("no rank has row " + row);
  }

  /** How many ranks differ along {@code axes} only. */
  public int count(List<Integer> axes) {
    return axes.stream().map(this::degree).reduce(1, (a, b) -> a * b);
  }

  /** The part of a whole tensor that a layout gives to a rank; partial sums count as whole. */
  Dense part(Dense whole, Layout layout, int rank) {
    Dense part = whole;
    for (int d = 0; d < layout.shards().size(); d++) {
      part = cut(part, d, layout.shards().get(d), rank);
    }
    return part;
  }

  private Dense cut(Dense own, int dimension, List<Integer> axes, int rank) {
    return axes.isEmpty() ? own : own.part(dimension, place(rank, axes), count(axes));
  }

  public List<Dense> scatter(Dense whole, Layout layout) {
    List<Dense> parts = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      parts.add(part(whole, layout, rank));
    }
    return parts;
  }

  /** What each rank cuts out of its own memory to get from one layout to another. */
  public List<Dense> slice(List<Dense> own, Layout from, Layout to) {
    List<Dense> parts = new ArrayList<>(own);
    for (int d = 0; d < to.shards().size(); d++) {
      List<Integer> axes = added(from.shards().get(d), to.shards().get(d));
      for (int m : axes) {
        assertThat(from.sums()).doesNotContain(m);
        assertThat(from.maxima()).doesNotContain(m);
        from.shards().forEach(dimension -> assertThat(dimension).doesNotContain(m));
      }
      for (int rank = 0; rank < ranks(); rank++) {
        parts.set(rank, cut(parts.get(rank), d, axes, rank));
      }
    }
    return parts;
  }

  /** What a dimension has inside what it had: parts of parts lie next to each other. */
  private static List<Integer> added(List<Integer> had, List<Integer> has) {
    assertThat(has.subList(0, Math.min(had.size(), has.size()))).isEqualTo(had);
    return has.subList(had.size(), has.size());
  }

  /** Requires that the parts are those of {@code whole}, partial sums added up. */
  public void check(String what, Dense whole, Layout layout, List<Dense> parts) {
    for (int rank = 0; rank < ranks(); rank++) {
      Dense expected = part(whole, layout, rank);
      Dense actual = joined(layout, parts, rank);
      Dense.requireClose(what + ", rank " + rank, actual, expected, 1e-9);
    }
  }

  /** Joins what the ranks hold that differ from this one along partial axes only. */
  private Dense joined(Layout layout, List<Dense> parts, int rank) {
    List<Dense> sums = new ArrayList<>();
    for (int other : group(List.copyOf(layout.maxima()), rank)) {
      List<Integer> summands = group(List.copyOf(layout.sums()), other);
      sums.add(join(parts, summands, Double::sum));
    }
    return sums.stream().reduce((a, b) -> a.with(b, Math::max)).orElseThrow();
  }

  private static Dense join(List<Dense> parts, List<Integer> ranks, DoubleBinaryOperator how) {
    return ranks.stream().map(parts::get).reduce((a, b) -> a.with(b, how)).orElseThrow();
  }

  /** The ranks that differ from this one along {@code axes} only, the first varying slowest. */
  private List<Integer> group(List<Integer> axes, int rank) {
    List<SubAxis> parts = axes.stream().map(m -> devices.axes().get(m).part()).toList();
    return members(parts, rank).stream()
        .sorted(Comparator.comparingInt(member -> place(member, axes)))
        .toList();
  }

  private List<Integer> members(List<SubAxis> axes, int rank) {
    return axes.isEmpty() ? List.of(rank) : mesh().members(new Group.Along(axes), rank);
  }

  public List<Dense> allReduce(List<Dense> input, List<SubAxis> axes, boolean maximum) {
    List<Dense> output = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      output.add(join(input, members(axes, rank), maximum ? Math::max : Double::sum));
    }
    return output;
  }

  /**
   * Does a collective among ranks that differ along {@code axes}. Which parts they exchange is that
   * by which the layouts differ; all else must be as it was.
   */
  public List<Dense> transfer(
      Collective.Kind kind, List<SubAxis> axes, List<Dense> input, Layout from, Layout to) {
    List<Integer> lost = List.of();
    List<Integer> gained = List.of();
    int loser = -1;
    int gainer = -1;
    for (int d = 0; d < to.shards().size(); d++) {
      List<Integer> had = from.shards().get(d);
      List<Integer> has = to.shards().get(d);
      if (had.size() > has.size()) {
        assertThat(loser).isEqualTo(-1);
        lost = added(has, had);
        loser = d;
      } else if (has.size() > had.size()) {
        assertThat(gainer).isEqualTo(-1);
        gained = added(had, has);
        gainer = d;
      } else {
        assertThat(has).isEqualTo(had);
      }
    }
    Set<Integer> sums = less(from.sums(), to.sums());
    Set<Integer> maxima = less(from.maxima(), to.maxima());
    List<Integer> changed =
        Stream.of(lost, gained, sums, maxima).flatMap(Collection::stream).distinct().toList();
    assertThat(group(changed, 0)).hasSameElementsAs(members(axes, 0));
    boolean partial = kind == Collective.Kind.ALL_REDUCE || kind == Collective.Kind.REDUCE_SCATTER;
    assertThat(sums.isEmpty() && maxima.isEmpty()).isEqualTo(!partial);
    List<Dense> whole =
        switch (kind) {
          case ALL_REDUCE -> {
            assertThat(sums.isEmpty()).isEqualTo(!maxima.isEmpty());
            yield allReduce(input, axes, sums.isEmpty());
          }
          case REDUCE_SCATTER -> {
            assertThat(maxima).isEmpty();
            assertThat(Set.copyOf(gained)).isEqualTo(sums);
            yield allReduce(input, axes, false);
          }
          case ALL_TO_ALL -> {
            assertThat(Set.copyOf(gained)).isEqualTo(Set.copyOf(lost));
            yield allGather(input, lost, loser);
          }
          case ALL_GATHER -> allGather(input, lost, loser);
          case REDUCE, GATHER, SCATTER, BROADCAST, BARRIER ->
              throw new AssertionError(kind + " is never derived");
        };
    boolean cuts = kind == Collective.Kind.REDUCE_SCATTER || kind == Collective.Kind.ALL_TO_ALL;
    assertThat(gained.isEmpty()).isEqualTo(!cuts);
    List<Dense> output = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      output.add(cut(whole.get(rank), gainer, gained, rank));
    }
    return output;
  }

  private static Set<Integer> less(Set<Integer> had, Set<Integer> has) {
    assertThat(had).containsAll(has);
    Set<Integer> less = new TreeSet<>(had);
    less.removeAll(has);
    return less;
  }

  private List<Dense> allGather(List<Dense> input, List<Integer> axes, int dimension) {
    List<Dense> output = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      List<Dense> parts = group(axes, rank).stream().map(input::get).toList();
      output.add(Dense.concatenate(parts, dimension));
    }
    return output;
  }

  /** Each rank gets the input of the one before it along an axis, the first that of the last. */
  List<Dense> shift(List<Dense> input, String axis) {
    List<Dense> output = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      List<Integer> ring = members(List.of(new SubAxis(axis, 1, mesh().degree(axis))), rank);
      int before = ring.indexOf(rank) + ring.size() - 1;
      output.add(input.get(ring.get(before % ring.size())));
    }
    return output;
  }

  Device device(int rank) {
    return new Device() {
      @Override
      public int size(String axis) {
        int size = sizes.get(axis);
        for (int meshAxis : rules.rules().getOrDefault(axis, List.of())) {
          size /= degree(meshAxis);
        }
        return size;
      }

      @Override
      public int first(String axis) {
        int block = 0;
        for (int meshAxis : rules.rules().getOrDefault(axis, List.of())) {
          block = block * degree(meshAxis) + coordinate(rank, meshAxis);
        }
        return block * size(axis);
      }
    };
  }
}
