package org.stage.testkit.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.text.Cursor;
import org.stage.api.text.ExecutionText;
import org.stage.api.text.Words;
import org.stage.api.workload.Collectives;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.TraceOrigin;
import org.stage.api.workload.Workload;

/** Reads a workload line by line; {@link ExecutionText} describes the form. */
final class WorkloadParser {
  private final List<Cursor> lines;
  private int next;

  WorkloadParser(List<Cursor> lines) {
    this.lines = lines;
  }

  Workload parse() {
    Cursor name = line("workload ");
    String workload = last(name, Words.read(name, "the name of the workload"));
    Cursor model = line("model ");
    String modelName = last(model, Words.read(model, "the name of the model"));
    Mesh mesh = mesh(line("mesh"));
    Precision precision = precision(line("precision "));
    Optional<Hardware> hardware =
        takes("hardware ") ? Optional.of(hardware(lines.get(next++))) : Optional.empty();
    List<NetworkDimension> network = new ArrayList<>();
    while (takes("network ")) {
      network.add(network(lines.get(next++)));
    }
    Collectives collectives =
        takes("collectives ") ? collectives(lines.get(next++)) : Collectives.PIPELINED;
    Optional<TraceOrigin> origin =
        takes("origin ") ? Optional.of(origin(lines.get(next++))) : Optional.empty();
    Map<String, JobMesh> jobs = jobs();
    List<RankClass> classes = new ArrayList<>();
    while (next < lines.size()) {
      classes.add(rankClass(line("class "), jobs));
    }
    Workload result =
        new Workload(
            workload,
            modelName,
            mesh,
            precision,
            new Workload.Platform(hardware, network, collectives),
            classes,
            origin);
    result.verify();
    return result;
  }

  /** The next line, behind its keyword. */
  private Cursor line(String keyword) {
    if (next == lines.size()) {
      throw new IllegalArgumentException(
          "the text ends where a line '" + keyword.strip() + " ...' is expected");
    }
    lines.get(next).expect(keyword);
    return lines.get(next++);
  }

  /** Whether there is a next line with that keyword, which is then stepped over. */
  private boolean takes(String keyword) {
    return next < lines.size() && lines.get(next).take(keyword);
  }

  private static <T> T last(Cursor cursor, T value) {
    cursor.end();
    return value;
  }

  private static Mesh mesh(Cursor cursor) {
    List<MeshAxis> axes = new ArrayList<>();
    while (!cursor.atEnd()) {
      String name = Words.read(cursor, "a mesh axis");
      cursor.expect("=");
      int degree = cursor.integer();
      axes.add(GraphParser.refusing(cursor, () -> new MeshAxis(name, degree)));
    }
    return GraphParser.refusing(cursor, () -> new Mesh(axes));
  }

  private static Precision precision(Cursor cursor) {
    DataType weights = type(cursor, "weights=");
    DataType activations = type(cursor, "activations=");
    DataType gradients = type(cursor, "gradients=");
    return last(cursor, new Precision(weights, activations, gradients));
  }

  private static DataType type(Cursor cursor, String key) {
    cursor.expect(key);
    return Words.constant(cursor, "a data type", DataType.values(), DataType::text);
  }

  private static Hardware hardware(Cursor cursor) {
    String name = Words.read(cursor, "the name of the hardware");
    cursor.expect("memory=");
    double memory = decimal(cursor);
    cursor.expect("bandwidth=");
    double bandwidth = decimal(cursor);
    Map<String, Double> peaks = new HashMap<>();
    while (!cursor.atEnd()) {
      String type = Words.read(cursor, "a data type");
      cursor.expect("=");
      if (peaks.put(type, decimal(cursor)) != null) {
        throw cursor.refusal(type + " is there twice");
      }
    }
    return new Hardware(name, peaks, memory, bandwidth);
  }

  private static NetworkDimension network(Cursor cursor) {
    Topology topology = Words.constant(cursor, "a topology", Topology.values(), Words::dashed);
    cursor.expect("size=");
    int size = cursor.integer();
    cursor.expect("gbps=");
    double bandwidth = decimal(cursor);
    cursor.expect("ns=");
    double latency = decimal(cursor);
    double reached = cursor.take("reached=") ? decimal(cursor) : 1;
    return last(cursor, new NetworkDimension(topology, size, bandwidth, latency, reached));
  }

  private static Collectives collectives(Cursor cursor) {
    return last(
        cursor,
        Words.constant(cursor, "a way of collectives", Collectives.values(), Words::dashed));
  }

  /** The format, then a line for each group. */
  private TraceOrigin origin(Cursor cursor) {
    String format = last(cursor, Words.read(cursor, "the name of a format"));
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    while (takes("group ")) {
      Cursor line = lines.get(next++);
      String name = Words.read(line, "the name of a group");
      line.expect("{");
      List<Integer> members = new ArrayList<>();
      while (!line.take("}")) {
        if (!members.isEmpty()) {
          line.expect(",");
        }
        members.add(line.integer());
      }
      line.end();
      if (groups.put(name, members) != null) {
        throw line.refusal("group " + name + " is there twice");
      }
    }
    return new TraceOrigin(format, groups);
  }

  private Map<String, JobMesh> jobs() {
    Map<String, JobMesh> jobs = new HashMap<>();
    while (takes("job ")) {
      Cursor cursor = lines.get(next++);
      String name = Words.read(cursor, "the name of a job");
      RankSet ranks = ranks(cursor);
      Mesh mesh = mesh(cursor);
      JobMesh job = GraphParser.refusing(cursor, () -> new JobMesh(name, mesh, ranks));
      if (jobs.put(name, job) != null) {
        throw cursor.refusal("job " + name + " is there twice");
      }
    }
    return jobs;
  }

  private static RankSet ranks(Cursor cursor) {
    cursor.expect("ranks=");
    String text = cursor.run(c -> c != ' ', "a list of ranks such as 0-7,64");
    return GraphParser.refusing(cursor, () -> RankSet.parse(text));
  }

  private static RankClass of(Map<String, JobMesh> jobs, Cursor cursor, RankClass plain) {
    RankClass result = plain;
    if (cursor.take("job=")) {
      String name = Words.read(cursor, "the name of a job");
      JobMesh job = jobs.get(name);
      if (job == null) {
        throw cursor.refusal("there is no line for job " + name);
      }
      result = result.ofJob(job);
    }
    if (cursor.take("slowdown=")) {
      RankClass sound = result;
      double factor = decimal(cursor);
      result = GraphParser.refusing(cursor, () -> sound.slowedBy(factor));
    }
    return last(cursor, result);
  }

  private RankClass rankClass(Cursor cursor, Map<String, JobMesh> jobs) {
    cursor.expect("stage=");
    int stage = cursor.integer();
    RankSet ranks = ranks(cursor);
    RankClass head = of(jobs, cursor, new RankClass(stage, ranks, WorkloadParser::nothing));
    GraphParser parser = new GraphParser();
    while (next < lines.size() && !lines.get(next).sees("class ")) {
      parser.line(lines.get(next++));
    }
    ExecutionGraph graph = parser.graph();
    return head.withGraph(() -> graph);
  }

  /** The graph of a class whose lines are not read yet. */
  private static ExecutionGraph nothing() {
    return new ExecutionGraph(List.of(), List.of());
  }

  private static double decimal(Cursor cursor) {
    String text = cursor.run(c -> c != ' ', "a decimal number");
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw cursor.refusal("'" + text + "' is not a decimal number");
    }
  }
}
