package org.stage.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Module;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.SubAxis;
import org.stage.parallel.DeviceMesh;
import org.stage.parallel.Layout;
import org.stage.parallel.Placement;
import org.stage.parallel.ShardingRules;

/**
 * Simulated devices: which part of a tensor each of them has, who is in whose group, and what the
 * collectives do.
 */
final class Cluster {
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

  int ranks() {
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

  /** The part of a whole tensor that a layout gives to a rank; partial sums count as whole. */
  Dense part(Dense whole, Layout layout, int rank) {
    Dense part = whole;
    for (int m = 0; m < layout.placements().size(); m++) {
      if (layout.placements().get(m) instanceof Placement.Shard shard) {
        part = part.part(shard.dimension(), coordinate(rank, m), degree(m));
      }
    }
    return part;
  }

  List<Dense> scatter(Dense whole, Layout layout) {
    List<Dense> parts = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      parts.add(part(whole, layout, rank));
    }
    return parts;
  }

  /** What a rank cuts out of its own memory to get from one layout to another. */
  Dense slice(Dense own, Layout from, Layout to, int rank) {
    Dense part = own;
    for (int m = 0; m < to.placements().size(); m++) {
      if (to.placements().get(m) instanceof Placement.Shard shard
          && !from.placements().get(m).equals(shard)) {
        assertThat(from.placements().get(m)).isEqualTo(Placement.REPLICATE);
        part = part.part(shard.dimension(), coordinate(rank, m), degree(m));
      }
    }
    return part;
  }

  /** Requires that the parts are those of {@code whole}, partial sums added up. */
  void check(String what, Dense whole, Layout layout, List<Dense> parts) {
    for (int rank = 0; rank < ranks(); rank++) {
      Dense expected = part(whole, layout, rank);
      Dense actual = joined(layout, parts, rank);
      Dense.requireClose(what + ", rank " + rank, actual, expected, 1e-9);
    }
  }

  /** Adds up what the ranks hold that differ from this one along partial axes only. */
  private Dense joined(Layout layout, List<Dense> parts, int rank) {
    Dense sum = null;
    for (int other = 0; other < ranks(); other++) {
      boolean same = true;
      boolean maximum = false;
      for (int m = 0; m < layout.placements().size(); m++) {
        if (layout.placements().get(m) instanceof Placement.Partial partial) {
          maximum |= partial.maximum();
        } else {
          same &= coordinate(rank, m) == coordinate(other, m);
        }
      }
      if (same) {
        Dense part = parts.get(other);
        sum = sum == null ? part : sum.with(part, maximum ? Math::max : Double::sum);
      }
    }
    return sum;
  }

  List<Integer> group(List<SubAxis> axes, int rank) {
    return mesh().members(new Group.Along(axes), rank);
  }

  List<Dense> allReduce(List<Dense> input, List<SubAxis> axes, boolean maximum) {
    List<Dense> output = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      Dense joined = null;
      for (int member : group(axes, rank)) {
        Dense part = input.get(member);
        joined = joined == null ? part : joined.with(part, maximum ? Math::max : Double::sum);
      }
      output.add(joined);
    }
    return output;
  }

  List<Dense> reduceScatter(List<Dense> input, List<SubAxis> axes, int dimension) {
    List<Dense> sums = allReduce(input, axes, false);
    List<Dense> output = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      List<Integer> group = group(axes, rank);
      output.add(sums.get(rank).part(dimension, group.indexOf(rank), group.size()));
    }
    return output;
  }

  List<Dense> allGather(List<Dense> input, List<SubAxis> axes, int dimension) {
    List<Dense> output = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      List<Dense> parts = group(axes, rank).stream().map(input::get).toList();
      output.add(Dense.concatenate(parts, dimension));
    }
    return output;
  }

  /** Each member cuts its input along {@code to} and joins what it gets along {@code from}. */
  List<Dense> allToAll(List<Dense> input, List<SubAxis> axes, int from, int to) {
    List<Dense> output = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      List<Integer> group = group(axes, rank);
      int here = group.indexOf(rank);
      List<Dense> parts =
          group.stream().map(m -> input.get(m).part(to, here, group.size())).toList();
      output.add(Dense.concatenate(parts, from));
    }
    return output;
  }

  /** Each rank gets the input of the one before it along an axis, the first that of the last. */
  List<Dense> shift(List<Dense> input, String axis) {
    List<Dense> output = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      List<Integer> ring = group(List.of(new SubAxis(axis, 1, mesh().degree(axis))), rank);
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
