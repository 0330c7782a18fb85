package org.stage.testkit.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.stage.api.plugin.NodeKind;
import org.stage.api.text.Cursor;
import org.stage.api.text.ExecutionText;
import org.stage.api.text.Words;
import org.stage.api.workload.Attribute;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Details;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Lane;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Peer;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Position;
import org.stage.api.workload.TensorType;
import org.stage.api.workload.TensorValue;

/** Gathers an execution graph line by line; {@link ExecutionText} describes the form. */
final class GraphParser {
  private final List<Node> nodes = new ArrayList<>();
  private final List<TensorValue> tensors = new ArrayList<>();
  private final Map<String, Integer> tensorIds = new HashMap<>();
  private final List<Attribute> attributes = new ArrayList<>();

  ExecutionGraph graph() {
    ExecutionGraph graph = new ExecutionGraph(nodes, tensors, attributes);
    graph.verify();
    return graph;
  }

  void line(Cursor cursor) {
    if (cursor.take("tensor ")) {
      String name = Words.read(cursor, "the name of a tensor");
      if (tensorIds.putIfAbsent(name, tensors.size()) != null) {
        throw cursor.refusal("tensor " + name + " is there twice");
      }
      tensors.add(new TensorValue(name, NodeParts.tensorType(cursor)));
    } else if (cursor.take("attribute ")) {
      attributes.add(attribute(cursor));
    } else {
      nodes.add(node(cursor));
    }
    cursor.end();
  }

  private Node node(Cursor cursor) {
    if (cursor.integer() != nodes.size()) {
      throw cursor.refusal("expected node " + nodes.size());
    }
    NodeKind kind = Words.constant(cursor, "a kind of node", NodeKind.values(), NodeKind::text);
    String name = Words.read(cursor, "the name of a node");
    Phase phase = Words.constant(cursor, "a phase", Phase.values(), Phase::text);
    return switch (kind) {
      case COMPUTE -> compute(cursor, name, phase);
      case SEND -> send(cursor, name, phase);
      case RECV -> recv(cursor, name, phase);
      case HOST_COMPUTE -> {
        String operator = Words.read(cursor, "an operator");
        yield new Node.HostCompute(header(cursor, name, phase), operator);
      }
      case MEMORY_LOAD -> {
        long bytes = cursor.number();
        yield new Node.MemoryLoad(header(cursor, name, phase), bytes);
      }
      case MEMORY_STORE -> {
        long bytes = cursor.number();
        yield new Node.MemoryStore(header(cursor, name, phase), bytes);
      }
      case MARKER -> {
        String marker = Words.read(cursor, "a kind of marker");
        yield new Node.Marker(header(cursor, name, phase), marker);
      }
      default -> collective(cursor, Node.Collective.Kind.valueOf(kind.name()), name, phase);
    };
  }

  private Node compute(Cursor cursor, String name, Phase phase) {
    String operator = Words.read(cursor, "an operator");
    MatrixShape shape = cursor.take("shape=") ? shape(cursor) : MatrixShape.NONE;
    long flops = optional(cursor, "flops=");
    long other = optional(cursor, "other=");
    long read = optional(cursor, "read=");
    long written = optional(cursor, "written=");
    Node.Compute.Cost cost = new Node.Compute.Cost(flops, other, read, written);
    List<TensorType> in = NodeParts.tensorTypes(cursor, "in=");
    List<TensorType> out = NodeParts.tensorTypes(cursor, "out=");
    return new Node.Compute(header(cursor, name, phase), operator, shape, cost, in, out);
  }

  private Node collective(Cursor cursor, Node.Collective.Kind kind, String name, Phase phase) {
    long elements = cursor.number();
    DataType type = NodeParts.type(cursor);
    cursor.expect("over ");
    Group group = NodeParts.group(cursor);
    Lane lane = NodeParts.lane(cursor, Lane.of(group));
    return new Node.Collective(header(cursor, name, phase), kind, elements, type, group, lane);
  }

  private Node send(Cursor cursor, String name, Phase phase) {
    long elements = cursor.number();
    DataType type = NodeParts.type(cursor);
    cursor.expect("to ");
    Peer peer = NodeParts.peer(cursor);
    int tag = cursor.take("tag=") ? cursor.integer() : 0;
    Lane lane = NodeParts.lane(cursor, Lane.of(peer));
    return new Node.Send(header(cursor, name, phase), peer, elements, type, tag, lane);
  }

  private Node recv(Cursor cursor, String name, Phase phase) {
    long elements = cursor.number();
    DataType type = NodeParts.type(cursor);
    cursor.expect("from ");
    Peer peer = NodeParts.peer(cursor);
    int tag = cursor.take("tag=") ? cursor.integer() : 0;
    Lane lane = NodeParts.lane(cursor, Lane.of(peer));
    return new Node.Recv(header(cursor, name, phase), peer, elements, type, tag, lane);
  }

  private NodeHeader header(Cursor cursor, String name, Phase phase) {
    Ids data = ids(cursor, "deps=", Cursor::integer);
    Ids control = ids(cursor, "ctrl=", Cursor::integer);
    Ids reads = ids(cursor, "reads=", this::tensor);
    Ids writes = ids(cursor, "writes=", this::tensor);
    return new NodeHeader(nodes.size(), name, phase, data, control, reads, writes)
        .at(position(cursor))
        .with(details(cursor));
  }

  private static Position position(Cursor cursor) {
    if (!cursor.take("at=")) {
      return Position.UNKNOWN;
    }
    OptionalInt batch = cursor.take("-") ? OptionalInt.empty() : OptionalInt.of(cursor.integer());
    cursor.expect(":");
    String unit = Words.read(cursor, "a unit");
    cursor.expect(":");
    String component = Words.read(cursor, "a component");
    cursor.expect(":");
    return new Position(
        batch,
        unit,
        component,
        Words.constant(cursor, "a role", Position.Role.values(), Position.Role::text));
  }

  private static Details details(Cursor cursor) {
    String id = cursor.take("id=") ? Words.read(cursor, "an id") : "";
    OptionalLong start = time(cursor, "start=");
    OptionalLong duration = time(cursor, "duration=");
    List<Attribute> attributes = new ArrayList<>();
    while (cursor.take("attr=")) {
      attributes.add(attribute(cursor));
    }
    return id.isEmpty() && start.isEmpty() && duration.isEmpty() && attributes.isEmpty()
        ? Details.NONE
        : refusing(cursor, () -> new Details(id, start, duration, attributes));
  }

  private static OptionalLong time(Cursor cursor, String key) {
    return cursor.take(key) ? OptionalLong.of(cursor.number()) : OptionalLong.empty();
  }

  private static Attribute attribute(Cursor cursor) {
    String name = Words.read(cursor, "the name of an attribute");
    cursor.expect(":");
    String type = Words.read(cursor, "the type of an attribute");
    cursor.expect("(");
    List<String> values = new ArrayList<>();
    while (!cursor.take(")")) {
      if (!values.isEmpty()) {
        cursor.expect(",");
      }
      values.add(Words.read(cursor, "a value"));
    }
    return new Attribute(name, type, values);
  }

  static Ids ids(Cursor cursor, String key, ToIntFunction<Cursor> id) {
    if (!cursor.take(key)) {
      return Ids.NONE;
    }
    List<Integer> ids = new ArrayList<>();
    do {
      ids.add(id.applyAsInt(cursor));
    } while (cursor.take(","));
    return Ids.of(ids.stream().mapToInt(Integer::intValue).toArray());
  }

  private int tensor(Cursor cursor) {
    String name = Words.read(cursor, "the name of a tensor");
    Integer id = tensorIds.get(name);
    if (id == null) {
      throw cursor.refusal(
          "no line before declares the tensor "
              + name
              + "; expected 'tensor "
              + name
              + " <dims>x<type>'");
    }
    return id;
  }

  private static long optional(Cursor cursor, String key) {
    return cursor.take(key) ? cursor.number() : 0;
  }

  private static MatrixShape shape(Cursor cursor) {
    long batch = cursor.number();
    cursor.expect("x");
    long m = cursor.number();
    cursor.expect("x");
    long n = cursor.number();
    cursor.expect("x");
    long k = cursor.number();
    return new MatrixShape(batch, m, n, k, cursor.take("/") ? cursor.number() : k);
  }

  /** What {@code make} makes; where it refuses its parts, the line is quoted. */
  static <T> T refusing(Cursor cursor, Supplier<T> make) {
    try {
      return make.get();
    } catch (IllegalArgumentException e) {
      throw cursor.refusal(String.valueOf(e.getMessage()));
    }
  }
}
