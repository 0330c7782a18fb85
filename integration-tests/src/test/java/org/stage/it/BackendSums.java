package org.stage.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the files of each backend hold for one rank, in sums that can be compared: FLOPs by phase
 * ({@code flops forward}), other operations, and bytes by kind of communication and size of group
 * ({@code all-gather 4}), as this rank's input.
 */
record BackendSums(Path out) {
  static final String OTHER = "other operations";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<Long, String> KINDS =
      Map.of(0L, "all-reduce", 2L, "all-gather", 6L, "all-to-all", 7L, "reduce-scatter");
  private static final Map<String, String> WORDS =
      Map.of(
          "all-reduce", "ALLREDUCE",
          "all-gather", "ALLGATHER",
          "all-to-all", "ALLTOALL",
          "reduce-scatter", "REDUCESCATTER");

  static JsonNode json(Path file) throws IOException {
    return JSON.readTree(file.toFile());
  }

  /** By {@code stage inspect --json}, of a class of ranks. */
  static Map<String, Long> inspected(JsonNode rankClass) {
    Map<String, Long> sums = new TreeMap<>();
    rankClass
        .get("flops")
        .properties()
        .forEach(phase -> add(sums, "flops " + phase.getKey(), phase.getValue().longValue()));
    add(sums, OTHER, rankClass.get("flops_other").longValue());
    for (JsonNode each : rankClass.get("traffic")) {
      add(sums, communication(each, "group_size"), each.get("bytes").longValue());
    }
    return sums;
  }

  private static String communication(JsonNode each, String size) {
    String kind = each.get("kind").textValue();
    boolean message = kind.equals("send") || kind.equals("recv");
    return message ? kind : kind + " " + each.get(size).intValue();
  }

  /** What happens on a rank in the timeline. */
  List<JsonNode> events(int rank) throws IOException {
    return json(out.resolve("timeline/timeline.json"))
        .get("traceEvents")
        .findParents("dur")
        .stream()
        .filter(event -> event.get("pid").intValue() == rank)
        .toList();
  }

  static Map<String, Long> timeline(List<JsonNode> events) {
    Map<String, Long> sums = new TreeMap<>();
    for (JsonNode event : events) {
      JsonNode args = event.get("args");
      if (args.has("flops")) {
        add(sums, "flops " + args.get("phase").textValue(), args.get("flops").longValue());
        add(sums, OTHER, args.get("other_flops").longValue());
      } else if (args.has("kind")) {
        add(sums, communication(args, "members"), args.get("bytes").longValue());
      } else {
        add(sums, args.has("to") ? "send" : "recv", args.get("bytes").longValue());
      }
    }
    return sums;
  }

  /**
   * Of Chakra traces, which add all operations up and say at least one. They know no phases but
   * have the names of the timeline.
   *
   * @param groups the file of communicators
   */
  Map<String, Long> traces(String format, String groups, int rank, List<JsonNode> events)
      throws IOException {
    Map<String, String> phases = new HashMap<>();
    events.forEach(
        event -> phases.put(event.get("name").textValue(), event.at("/args/phase").textValue()));
    Path communicators = out.resolve(format).resolve(groups);
    JsonNode members = Files.exists(communicators) ? json(communicators) : JSON.createObjectNode();
    Map<String, Long> sums = new TreeMap<>();
    for (TraceFile.Node node :
        TraceFile.read(out.resolve(format).resolve("workload." + rank + ".et"))) {
      switch (node.type()) {
        case TraceFile.COMPUTE ->
            add(sums, "operations " + phases.get(node.name()), node.number("num_ops"));
        case TraceFile.SEND -> add(sums, "send", node.number("comm_size"));
        case TraceFile.RECV -> add(sums, "recv", node.number("comm_size"));
        default -> {
          JsonNode group = members.get(node.texts().getOrDefault("pg_name", "0"));
          int size = group == null ? devices() : group.size();
          add(sums, KINDS.get(node.number("comm_type")) + " " + size, node.number("comm_size"));
        }
      }
    }
    return sums;
  }

  private int devices() throws IOException {
    return json(out.resolve("genie/totals.json")).get("ranks").intValue();
  }

  /** The same of the timeline, as Chakra counts. */
  static Map<String, Long> asTraces(List<JsonNode> events) {
    Map<String, Long> sums = new TreeMap<>(timeline(events));
    sums.keySet().removeIf(key -> key.startsWith("flops ") || key.equals(OTHER));
    for (JsonNode event : events) {
      JsonNode args = event.get("args");
      if (args.has("flops")) {
        long all = args.get("flops").longValue() + args.get("other_flops").longValue();
        add(sums, "operations " + args.get("phase").textValue(), Math.max(1, all));
      }
    }
    return sums;
  }

  /**
   * Of the GEMMs, two FLOPs for each product, as often as they repeat; less what masks leave out.
   */
  Map<String, Long> gemms(int rank) throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    Path file = out.resolve("scalesim/workload.rank" + rank + ".repeats.csv");
    List<String> lines = Files.readAllLines(file);
    List<String> head = List.of(lines.get(0).split(","));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",");
      long flops = 2;
      for (String factor : List.of("M", "N", "K", "count")) {
        flops = Math.multiplyExact(flops, Long.parseLong(cells[head.indexOf(factor)]));
      }
      add(sums, "flops " + cells[head.indexOf("phase")], flops);
    }
    return sums;
  }

  /** What the SCALE-Sim export says of a rank's class. */
  JsonNode scalesim(int rank) throws IOException {
    for (JsonNode each : json(out.resolve("scalesim/totals.json")).get("classes")) {
      if (each.get("topology").textValue().equals("workload.rank" + rank + ".csv")) {
        return each;
      }
    }
    throw new IOException("no class of rank " + rank);
  }

  /** Bytes of whole tensors by SimAI's word, and nanoseconds by column, in the file of a stage. */
  Map<String, Long> simai(int stage, int stages) throws IOException {
    String name = stages == 1 ? "workload.txt" : "workload-stage" + stage + ".txt";
    List<String> lines = Files.readAllLines(out.resolve("simai").resolve(name));
    Map<String, Long> sums = new TreeMap<>();
    for (String line : lines.subList(2, lines.size())) {
      String[] cells = line.split("\t");
      for (int pass = 0; pass < 3; pass++) {
        int at = 2 + 3 * pass;
        add(sums, pass == 0 ? "ns forward" : "ns after", Long.parseLong(cells[at]));
        String word = cells[at + 1].replaceFirst("_.*", "");
        if (!word.equals("NONE")) {
          add(sums, word, Long.parseLong(cells[at + 2]));
        }
      }
    }
    return sums;
  }

  /**
   * What SimAI's rows should hold: an all-gather's shard is a part of the tensor that is counted.
   */
  static Map<String, Long> asSimai(Map<String, Long> inspected) {
    Map<String, Long> sums = new TreeMap<>();
    inspected.forEach(
        (key, bytes) -> {
          String[] kindAndSize = key.split(" ");
          String word = WORDS.get(kindAndSize[0]);
          if (word != null) {
            boolean shard = word.equals("ALLGATHER");
            add(sums, word, shard ? bytes * Long.parseLong(kindAndSize[1]) : bytes);
          }
        });
    return sums;
  }

  static void add(Map<String, Long> sums, String key, long more) {
    if (more != 0) {
      sums.merge(key, more, Math::addExact);
    }
  }
}
