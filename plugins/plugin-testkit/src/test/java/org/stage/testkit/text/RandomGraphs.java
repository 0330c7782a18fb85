package org.stage.testkit.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import org.stage.api.graph.Axis;
import org.stage.api.graph.Element;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;
import org.stage.api.graph.OperatorKind;
import org.stage.api.graph.Tensor;
import org.stage.api.symbol.Expr;
import org.stage.api.workload.Attribute;
import org.stage.api.workload.Collectives;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Details;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Group;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Lane;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Peer;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Position;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.TensorType;
import org.stage.api.workload.TensorValue;
import org.stage.api.workload.TraceOrigin;
import org.stage.api.workload.Workload;

/** Legal modules, execution graphs and workloads that make no sense, the same for the same seed. */
final class RandomGraphs {
  private static final OperatorKind[] KINDS = {
    OperatorKind.EINSUM, OperatorKind.ADD, OperatorKind.LAYER_NORM_GRAD, new OperatorKind("fused_2")
  };

  private static final List<String> ODD_NAMES =
      List.of(
          "a b", "x#2", "", "\"", "\\n", "line\nbreak\r", "a=b,c", "é", "{0}", "tensor", "-1", "#");

  private final Random random;

  RandomGraphs(long seed) {
    this.random = new Random(seed);
  }

  Module module() {
    List<Axis> axes = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(5); i++) {
      Expr own = Expr.symbol("axis" + i);
      axes.add(new Axis("axis" + i, random.nextBoolean() ? own : own.times(3).plus(Expr.ONE)));
    }
    List<Tensor> inputs = tensors("in", axes);
    List<Tensor> parameters = tensors("layers.0.weight_", axes);
    List<Tensor> known = new ArrayList<>(inputs);
    known.addAll(parameters);
    List<Tensor> written = new ArrayList<>();
    List<Operator> operators = new ArrayList<>();
    for (int i = 0; i < random.nextInt(8); i++) {
      List<Operand> reads =
          known.stream()
              .filter(tensor -> random.nextInt(3) == 0)
              .map(tensor -> new Operand(tensor.name(), names(axes, tensor.axes().size())))
              .toList();
      List<Tensor> outputs = new ArrayList<>(tensors("op" + i + ".", axes));
      outputs.add(tensor("op" + i, axes));
      List<Operand> writes =
          outputs.stream().map(tensor -> new Operand(tensor.name(), tensor.axes())).toList();
      operators.add(new Operator("op" + i, pick(KINDS), reads, writes));
      known.addAll(outputs);
      written.addAll(outputs);
    }
    List<String> leaving =
        known.stream().map(Tensor::name).filter(name -> random.nextInt(4) == 0).toList();
    Collections.shuffle(written, random);
    return new Module(
        "m" + random.nextInt(9), axes, inputs, parameters, operators, written, leaving);
  }

  private List<Tensor> tensors(String prefix, List<Axis> axes) {
    return IntStream.range(0, random.nextInt(3)).mapToObj(i -> tensor(prefix + i, axes)).toList();
  }

  private Tensor tensor(String name, List<Axis> axes) {
    return new Tensor(name, names(axes, random.nextInt(4)), pick(Element.values()));
  }

  private List<String> names(List<Axis> axes, int rank) {
    return random.ints(rank, 0, axes.size()).mapToObj(i -> axes.get(i).name()).toList();
  }

  ExecutionGraph graph() {
    List<TensorValue> tensors = new ArrayList<>();
    for (int i = 0; i < random.nextInt(12); i++) {
      tensors.add(new TensorValue(name("t" + i, i), type()));
    }
    List<Integer> unwritten = new ArrayList<>(IntStream.range(0, tensors.size()).boxed().toList());
    List<Integer> readable = new ArrayList<>();
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < random.nextInt(20); i++) {
      Ids reads = some(readable);
      Ids writes = unwritten.isEmpty() ? Ids.NONE : take(unwritten, readable);
      Ids data = some(IntStream.range(0, i).boxed().toList());
      Ids control = some(IntStream.range(0, i).boxed().toList());
      nodes.add(
          node(
              new NodeHeader(
                  i,
                  name("n" + i, i),
                  pick(Phase.values()),
                  random.nextBoolean() ? position() : Position.UNKNOWN,
                  new NodeHeader.Dependencies(data, control),
                  new NodeHeader.Access(reads, writes),
                  random.nextInt(3) == 0 ? details() : Details.NONE)));
    }
    return new ExecutionGraph(nodes, tensors, attributes());
  }

  private TensorType type() {
    return new TensorType(
        random.longs(random.nextInt(4), 0, 1L << 12).boxed().toList(), pick(DataType.values()));
  }

  private List<TensorType> types() {
    return IntStream.range(0, random.nextInt(3)).mapToObj(i -> type()).toList();
  }

  private Position position() {
    return new Position(
        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(1 << 20)),
        pick("layers.17", "", "a:b"),
        pick("mlp.up", "", "odd one"),
        pick(Position.Role.values()));
  }

  private Peer peer() {
    return random.nextBoolean()
        ? new Peer.Along(pick("pp", "a:b"), random.nextInt(-3, 4))
        : new Peer.OfJob(
            pick("decode", "a job"),
            random.nextBoolean()
                ? Map.of()
                : Map.of(pick("tp", "a=b"), new Peer.Coordinate(pick("tp", "d,p"), 1, 2, -1)));
  }

  private Lane lane(Lane usual) {
    return random.nextBoolean() ? usual : new Lane(pick("gradients", "{x} y"));
  }

  private Details details() {
    return new Details(pick("", "18446744073709551615", "a b"), time(), time(), attributes());
  }

  private OptionalLong time() {
    return random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong(1L << 60));
  }

  private List<Attribute> attributes() {
    return random
        .ints(random.nextInt(3), 0, 3)
        .mapToObj(
            size ->
                new Attribute(
                    pick("pg_name", "odd, name (x)"),
                    pick("int64_val", "string_list"),
                    Collections.nCopies(size, pick("", "7", "a,b)(\"\n", "[(1, 2)]"))))
        .toList();
  }

  /** A unique name, now and then one that must be quoted. */
  private String name(String plain, int number) {
    boolean odd = number < ODD_NAMES.size() && random.nextInt(3) == 0;
    return odd ? ODD_NAMES.get(number) : "mb0.layers.1." + plain;
  }

  private Ids take(List<Integer> unwritten, List<Integer> readable) {
    int tensor = unwritten.remove(random.nextInt(unwritten.size()));
    readable.add(tensor);
    return Ids.of(tensor);
  }

  private Ids some(List<Integer> from) {
    return Ids.of(
        from.stream().filter(id -> random.nextInt(3) == 0).mapToInt(Integer::intValue).toArray());
  }

  private Node node(NodeHeader header) {
    DataType type = pick(DataType.values());
    long elements = random.nextLong(1L << 40);
    Group group = group();
    Peer peer = peer();
    int tag = random.nextInt(3);
    return switch (random.nextInt(8)) {
      case 0 ->
          new Node.Compute(
              header,
              pick("einsum", "adam", "my op"),
              shape(),
              new Node.Compute.Cost(few(), few(), few(), few()),
              types(),
              types());
      case 1 ->
          new Node.Collective(
              header,
              pick(Node.Collective.Kind.values()),
              elements,
              type,
              group,
              lane(Lane.of(group)));
      case 2 -> new Node.Send(header, peer, elements, type, tag, lane(Lane.of(peer)));
      case 3 -> new Node.HostCompute(header, pick("aten::mm", "op"));
      case 4 -> new Node.MemoryLoad(header, elements);
      case 5 -> new Node.MemoryStore(header, elements);
      case 6 -> new Node.Marker(header, pick("METADATA_NODE", "odd kind"));
      default -> new Node.Recv(header, peer, elements, type, tag, lane(Lane.of(peer)));
    };
  }

  private long few() {
    return random.nextBoolean() ? 0 : random.nextLong();
  }

  private MatrixShape shape() {
    return switch (random.nextInt(4)) {
      case 0 -> new MatrixShape(1, few(), 64, 128);
      case 1 -> new MatrixShape(1, few(), 64, 192, 128);
      default -> MatrixShape.NONE;
    };
  }

  private Group group() {
    return switch (random.nextInt(4)) {
      case 0 -> new Group.Members("pp", List.of(0, 1 + random.nextInt(9)));
      case 1 -> new Group.Along(List.of(new SubAxis("tp", 1, 8)));
      case 2 -> new Group.Along(List.of(new SubAxis("tp", 2, 4), new SubAxis("dp", 1, 3)));
      default -> new Group.Along(List.of(new SubAxis("a+b:c{", 1, 2)));
    };
  }

  Workload workload() {
    int tp = random.nextInt(1, 5);
    int pp = random.nextInt(1, 4);
    Mesh mesh = new Mesh(List.of(new MeshAxis("tp", tp), new MeshAxis("pp", pp)));
    Map<String, Double> peaks = new HashMap<>();
    peaks.put("bf16", random.nextDouble());
    peaks.put("fp8", 1979.0);
    Optional<Hardware> hardware =
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(new Hardware("h 100", peaks, random.nextDouble() * 1e3, 1e-7));
    List<NetworkDimension> network =
        random.nextBoolean()
            ? List.of()
            : List.of(
                new NetworkDimension(pick(NetworkDimension.Topology.values()), tp, 0.1, 1e9, 0.8),
                new NetworkDimension(pick(NetworkDimension.Topology.values()), pp, 450, 0));
    List<RankClass> classes = new ArrayList<>();
    for (int stage = 0; stage < pp; stage++) {
      ExecutionGraph graph = graph();
      RankSet ranks = RankSet.of(IntStream.range(stage * tp, (stage + 1) * tp));
      RankClass sound = new RankClass(stage, ranks, () -> graph);
      classes.add(random.nextInt(3) == 0 ? sound.slowedBy(random.nextDouble(1, 9)) : sound);
    }
    Precision precision =
        new Precision(pick(DataType.values()), pick(DataType.values()), pick(DataType.values()));
    Optional<TraceOrigin> origin =
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(
                new TraceOrigin(
                    "chakra", Map.of(pick("7", "odd {name}"), List.of(1, 0), "e", List.of())));
    return new Workload(
        "a job",
        "llama-3.1-8b",
        mesh,
        precision,
        new Workload.Platform(hardware, network, pick(Collectives.values())),
        classes,
        origin);
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
