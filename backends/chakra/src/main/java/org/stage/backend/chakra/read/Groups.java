package org.stage.backend.chakra.read;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.Group;
import org.stage.api.workload.SubAxis;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.NetworkFile;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.AttributeProto.ValueCase;
import org.stage.backend.chakra.format.proto.BoolList;
import org.stage.backend.chakra.format.proto.Node;

/** Which ranks the collectives of a trace set join. */
final class Groups {
  /** The one axis of the mesh of a foreign trace. */
  static final String AXIS = "rank";

  /** What PyTorch calls the group of all ranks where it does not number it. */
  private static final String DEFAULT = "default_pg";

  private final int ranks;
  private final int[] dimensions;
  private final Map<String, List<Integer>> named = new LinkedHashMap<>();
  private final Map<Object, Group> known = new HashMap<>();
  private final Group all;

  /**
   * Those of a set, without names so far.
   *
   * @param dimensions sizes of the network's dimensions, innermost first; empty if unknown
   */
  Groups(int ranks, int[] dimensions) {
    this.ranks = ranks;
    this.dimensions = dimensions;
    this.all = new Group.Along(List.of(new SubAxis(AXIS, 1, ranks)));
  }

  /** Takes a group; no members mean all ranks. Returns whether another of that name differs. */
  boolean add(String name, List<Integer> members) {
    List<Integer> listed =
        members.isEmpty() ? IntStream.range(0, ranks).boxed().toList() : List.copyOf(members);
    List<Integer> before = named.putIfAbsent(name, listed);
    return before != null && !before.equals(listed);
  }

  /** The groups by name, members as listed. */
  Map<String, List<Integer>> named() {
    return Collections.unmodifiableMap(named);
  }

  /** Whether the ranks of a collective depend on the rank that issues it. */
  static boolean isRelative(Node node) {
    return Attributes.find(node, "pg_name") == null
        && Attributes.find(node, "involved_dim") != null;
  }

  /**
   * The group of a collective.
   *
   * @throws InputException if it is not known, or does not hold {@code rank}
   */
  Group of(int rank, Path file, Node node) {
    AttributeProto name = Attributes.find(node, "pg_name");
    if (isRelative(node)) {
      return byDimensions(rank, file, node);
    }
    if (name != null && name.getValueCase() != ValueCase.STRING_VAL) {
      throw At.refuse(file, node, "has a pg_name that is no string", "Write it as a string_val.");
    }
    String id = name == null ? "" : name.getStringVal();
    List<Integer> members = named.get(id);
    if (members == null) {
      if (id.isEmpty() || id.equals(DEFAULT) || id.matches("0+")) {
        return all;
      }
      throw At.refuse(
          file,
          node,
          "names the unknown group '" + At.shown(id) + "'",
          "Put the file of groups beside the traces, named like them or comm_group.json.");
    }
    Group group = known.computeIfAbsent(id, key -> group(members));
    require(members.contains(rank), file, node, "names group " + id + ", which lacks the rank");
    int highest = Collections.max(members);
    require(
        highest < ranks,
        file,
        node,
        "names group " + id + ", whose rank " + highest + " has no file");
    return group;
  }

  private Group group(List<Integer> members) {
    List<Integer> ascending = members.stream().sorted().distinct().toList();
    return ascending.size() == ranks ? all : new Group.Members(AXIS, ascending);
  }

  private Group byDimensions(int rank, Path file, Node node) {
    AttributeProto involved = Attributes.find(node, "involved_dim");
    if (involved == null || involved.getValueCase() != ValueCase.BOOL_LIST) {
      throw At.refuse(
          file, node, "has an involved_dim that is no bool_list", "Write it as a bool_list.");
    }
    BoolList flags = involved.getBoolList();
    if (flags.getValuesList().stream().allMatch(each -> each)) {
      return all;
    }
    require(
        dimensions.length > 0 && NetworkFile.devices(dimensions) == ranks,
        file,
        node,
        "names dimensions of the network (involved_dim), which no network.yml beside the traces"
            + " says");
    return known.computeIfAbsent(
        List.of(flags.getValuesList(), lowest(rank, flags)),
        key ->
            group(
                IntStream.range(0, ranks)
                    .filter(other -> lowest(other, flags) == lowest(rank, flags))
                    .boxed()
                    .toList()));
  }

  /** The lowest rank that differs from {@code rank} only in the dimensions involved. */
  private int lowest(int rank, BoolList flags) {
    int lowest = 0;
    int stride = 1;
    for (int i = 0; i < dimensions.length; i++) {
      boolean involved = i >= flags.getValuesCount() || flags.getValues(i);
      lowest += involved ? 0 : rank / stride % dimensions[i] * stride;
      stride *= dimensions[i];
    }
    return lowest;
  }

  private static void require(boolean condition, Path file, Node node, String problem) {
    if (!condition) {
      throw At.refuse(file, node, problem, "Give the whole set, as `stage validate` accepts it.");
    }
  }
}
