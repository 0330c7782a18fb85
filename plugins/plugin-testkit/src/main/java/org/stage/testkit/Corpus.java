package org.stage.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Group;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.Workload;
import org.stage.testkit.text.ExecutionTextParser;

/** Small workloads to test with. Between them they use whatever a workload can say. */
public final class Corpus {
  /** A workload that uses most of what there is, on eight devices. */
  public static final String MIXED = "mixed";

  /** A workload of one device that does nothing but compute. */
  public static final String ONE_DEVICE = "one-device";

  private static final List<String> NAMES =
      List.of(
          ONE_DEVICE,
          "recompute",
          "tensor-parallel",
          "data-parallel",
          "pipeline",
          "stages",
          "context-parallel",
          "expert-parallel",
          "tied-embedding",
          "replicated-heads",
          "huge-sizes",
          "offload",
          "host",
          "foreign-collectives",
          "several-jobs",
          "messages-between-jobs",
          "slow-ranks",
          MIXED);

  private Corpus() {}

  /** The names of the workloads. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * The workload called {@code name}, read from its textual form.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Workload get(String name) {
    try (InputStream in = Corpus.class.getResourceAsStream(name + ".txt")) {
      if (in == null) {
        throw new IllegalArgumentException("there is no workload " + name + " but " + NAMES);
      }
      return ExecutionTextParser.parseWorkload(new String(in.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@link #ONE_DEVICE} under another name. */
  public static Workload named(String name) {
    Workload plain = get(ONE_DEVICE);
    return new Workload(
        name,
        plain.model(),
        plain.mesh(),
        plain.precision(),
        plain.hardware(),
        plain.network(),
        plain.classes());
  }

  /**
   * A job {@code w} in bf16, whose ranks all execute the same.
   *
   * @param mesh {@code tp=2 dp=4}, innermost axis first
   * @param hardware a line of the textual form; empty without
   * @param nodes lines of the textual form
   * @throws IllegalArgumentException if one of them is not of that form
   */
  public static Workload job(String mesh, String hardware, String... nodes) {
    int devices = 1;
    for (String axis : mesh.split(" ")) {
      devices = Math.multiplyExact(devices, Integer.parseInt(axis.split("=")[1]));
    }
    return ExecutionTextParser.parseWorkload(
        String.join(
            "\n",
            "workload w",
            "model tiny",
            "mesh " + mesh,
            "precision weights=bf16 activations=bf16 gradients=fp32",
            hardware.strip(),
            "class stage=0 ranks=" + (devices == 1 ? "0" : "0-" + (devices - 1)),
            String.join("\n", nodes)));
  }

  /** The same job on devices of 100 TFLOP/s in bf16, 80 GB and 2000 GB/s. */
  public static Workload onHardware(Workload plain) {
    return new Workload(
        plain.name(),
        plain.model(),
        plain.mesh(),
        plain.precision(),
        Optional.of(new Hardware("test", Map.of("bf16", 100.0), 80, 2000)),
        plain.network(),
        plain.classes());
  }

  /** One device that computes; each node has one of {@code names} and depends on the one before. */
  public static Workload chain(List<String> names) {
    List<Node> nodes = new ArrayList<>();
    for (String name : names) {
      int id = nodes.size();
      Ids before = id == 0 ? Ids.NONE : Ids.of(id - 1);
      nodes.add(
          new Node.Compute(
              header(id, name, before),
              "einsum",
              new MatrixShape(1, 16, 32, 64),
              65536,
              0,
              4096,
              8192));
    }
    ExecutionGraph graph = new ExecutionGraph(nodes, List.of());
    return workload("chain", new Mesh(List.of()), "0", graph);
  }

  /**
   * Two devices, each of which computes and reduces a tensor.
   *
   * @param bound whether the reduction waits for the kernel
   * @param elements of the tensor
   */
  public static Workload pair(boolean bound, long elements) {
    Ids kernel = bound ? Ids.of(0) : Ids.NONE;
    ExecutionGraph graph =
        new ExecutionGraph(
            List.of(
                new Node.Compute(
                    header(0, "kernel", Ids.NONE),
                    "einsum",
                    new MatrixShape(1, 16, 32, 64),
                    65536,
                    0,
                    4096,
                    8192),
                new Node.Collective(
                    header(1, "sum", kernel),
                    Node.Collective.Kind.ALL_REDUCE,
                    elements,
                    DataType.BF16,
                    new Group.Along(List.of(new SubAxis("tp", 1, 2))))),
            List.of());
    return workload("pair", new Mesh(List.of(new MeshAxis("tp", 2))), "0-1", graph);
  }

  private static NodeHeader header(int id, String name, Ids before) {
    return new NodeHeader(id, name, Phase.FORWARD, before, Ids.NONE, Ids.NONE, Ids.NONE);
  }

  private static Workload workload(String name, Mesh mesh, String ranks, ExecutionGraph graph) {
    return new Workload(
        name,
        "tiny",
        mesh,
        new Precision(DataType.BF16, DataType.BF16, DataType.FP32),
        Optional.empty(),
        List.of(),
        List.of(new RankClass(0, RankSet.parse(ranks), () -> graph)));
  }
}
