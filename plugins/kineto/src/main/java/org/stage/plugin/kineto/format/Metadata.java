package org.stage.plugin.kineto.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What a document says of itself, wherever it stands. Everything else in it is never looked at. */
public final class Metadata {
  private static final int LARGEST_RANK = 1 << 24;

  /**
   * A device.
   *
   * @param id its number
   * @param name its name; may be empty
   * @param memoryBytes its memory in bytes; 0 if not said
   * @param multiprocessors its multiprocessors or compute units; 0 if not said
   * @param capability major and minor compute capability, joined by a dot; empty if not said
   */
  public record Device(
      long id, String name, long memoryBytes, int multiprocessors, String capability) {}

  private final List<Device> devices = new ArrayList<>();
  private final Map<String, List<Integer>> groups = new LinkedHashMap<>();
  private final Set<String> known = new TreeSet<>();
  private final Set<String> repeated = new TreeSet<>();
  private int rank = -1;
  private int worldSize;
  private long baseNs;

  void put(String key, Object value) {
    if (!known.add(key)) {
      repeated.add(key);
    }
    switch (key) {
      case "deviceProperties", "computeProperties" -> list(value).forEach(this::device);
      case "distributedInfo" -> distributed(value);
      case "baseTimeNanoseconds" -> baseNs = number(value, Long.MAX_VALUE, 0);
      default -> throw new IllegalArgumentException(key);
    }
  }

  private void device(Object value) {
    if (value instanceof Map<?, ?> map) {
      String major = text(map, "computeMajor");
      String minor = text(map, "computeMinor");
      long units = number(map, "numSms");
      long memory = number(map, "totalGlobalMem");
      devices.add(
          new Device(
              number(map, "id"),
              text(map, "name"),
              memory > 0 ? memory : number(map, "maxMemAllocSize"),
              (int) Math.min(1 << 20, units > 0 ? units : number(map, "maxComputeUnits")),
              isNumber(major) && isNumber(minor) ? major + "." + minor : ""));
    }
  }

  private void distributed(Object value) {
    if (value instanceof Map<?, ?> map) {
      rank = (int) number(text(map, "rank"), LARGEST_RANK, -1);
      worldSize = (int) number(text(map, "world_size"), LARGEST_RANK, 0);
      Object config = map.get("pg_config");
      list(config == null ? "" : config).forEach(this::group);
    }
  }

  private void group(Object value) {
    if (value instanceof Map<?, ?> map) {
      Object ranks = map.get("ranks");
      List<Integer> members =
          ranks instanceof List<?> list ? ranks(list) : ranksOf(text(map, "ranks"));
      groups.put(text(map, "pg_name"), members);
    }
  }

  private static List<Integer> ranks(List<?> list) {
    List<Integer> members = new ArrayList<>();
    for (Object each : list) {
      members.add((int) number(each, LARGEST_RANK, -1));
    }
    return members.contains(-1) ? List.of() : members;
  }

  /** Ranks as text: {@code [0, 1]}; none where it is cut short. */
  public static List<Integer> ranksOf(String text) {
    String inner = text.replaceAll("[\\[\\]\\s]", "");
    if (inner.isEmpty() || !inner.matches("\\d{1,8}(,\\d{1,8})*")) {
      return List.of();
    }
    return ranks(List.of(inner.split(",")));
  }

  private static List<?> list(Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  private static String text(Map<?, ?> map, String key) {
    return map.get(key) instanceof String text ? text : "";
  }

  private static long number(Map<?, ?> map, String key) {
    return number(text(map, key), Long.MAX_VALUE, 0);
  }

  private static long number(Object value, long most, long otherwise) {
    if (value instanceof String text && text.matches("\\d{1,19}")) {
      try {
        long number = Long.parseLong(text);
        return number <= most ? number : otherwise;
      } catch (NumberFormatException e) {
        return otherwise;
      }
    }
    return otherwise;
  }

  private static boolean isNumber(String text) {
    return text.matches("\\d{1,4}");
  }

  /** The devices, in order. */
  public List<Device> devices() {
    return List.copyOf(devices);
  }

  /** The ranks of a group by its name; empty if not said. */
  public List<Integer> group(String name) {
    return groups.getOrDefault(name, List.of());
  }

  /** How many ranks the job has; 0 if it is not said. */
  public int worldSize() {
    return worldSize;
  }

  /** What is said more than once, of which the last counts. */
  public Set<String> repeated() {
    return Set.copyOf(repeated);
  }

  /** The rank, or -1 if it is not said. */
  public int rank() {
    return rank;
  }

  /** Nanoseconds from 1970 to the zero of the events' times; 0 if not said. */
  public long baseNs() {
    return baseNs;
  }
}
