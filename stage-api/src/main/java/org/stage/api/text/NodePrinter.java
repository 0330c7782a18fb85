package org.stage.api.text;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.Attribute;
import org.stage.api.workload.Details;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Lane;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Peer;
import org.stage.api.workload.Position;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.TensorType;
import org.stage.api.workload.TensorValue;

/** Prints nodes of one graph; {@link ExecutionText} describes the form. */
final class NodePrinter {
  private final List<TensorValue> tensors;

  NodePrinter(List<TensorValue> tensors) {
    this.tensors = tensors;
  }

  String print(Node node) {
    NodeHeader header = node.header();
    return header.id()
        + " "
        + kind(node)
        + " "
        + Words.print(header.name())
        + " "
        + header.phase().text()
        + " "
        + body(node)
        + ids(" deps=", header.dataDeps(), String::valueOf)
        + ids(" ctrl=", header.controlDeps(), String::valueOf)
        + ids(" reads=", header.reads(), this::tensor)
        + ids(" writes=", header.writes(), this::tensor)
        + position(header.position())
        + details(header.details());
  }

  private static String position(Position position) {
    if (!position.isKnown()) {
      return "";
    }
    String batch = position.microBatch().isPresent() ? "" + position.microBatch().getAsInt() : "-";
    return " at="
        + String.join(
            ":",
            batch,
            Words.print(position.unit()),
            Words.print(position.component()),
            position.role().text());
  }

  private static String details(Details details) {
    StringBuilder text = new StringBuilder();
    if (!details.id().isEmpty()) {
      text.append(" id=").append(Words.print(details.id()));
    }
    details.startNs().ifPresent(time -> text.append(" start=").append(time));
    details.durationNs().ifPresent(time -> text.append(" duration=").append(time));
    details.attributes().forEach(each -> text.append(" attr=").append(print(each)));
    return text.toString();
  }

  /** For example {@code pg_name:string_val(7)}. */
  static String print(Attribute attribute) {
    return Words.print(attribute.name())
        + ":"
        + Words.print(attribute.type())
        + attribute.values().stream().map(Words::print).collect(Collectors.joining(",", "(", ")"));
  }

  private static String kind(Node node) {
    return NodeKind.of(node).text();
  }

  private static String body(Node node) {
    if (node instanceof Node.Compute compute) {
      return Words.print(compute.operator())
          + (compute.shape().equals(MatrixShape.NONE) ? "" : " shape=" + compute.shape())
          + number(" flops=", compute.flops())
          + number(" other=", compute.otherFlops())
          + number(" read=", compute.bytesRead())
          + number(" written=", compute.bytesWritten())
          + types(" in=", compute.inputs())
          + types(" out=", compute.outputs());
    }
    if (node instanceof Node.Collective c) {
      return c.elements()
          + "x"
          + c.type().text()
          + " over "
          + print(c.group())
          + lane(c.lane(), Lane.of(c.group()));
    }
    if (node instanceof Node.Send s) {
      return s.elements()
          + "x"
          + s.type().text()
          + " to "
          + print(s.peer())
          + number(" tag=", s.tag())
          + lane(s.lane(), Lane.of(s.peer()));
    }
    if (node instanceof Node.Recv r) {
      return r.elements()
          + "x"
          + r.type().text()
          + " from "
          + print(r.peer())
          + number(" tag=", r.tag())
          + lane(r.lane(), Lane.of(r.peer()));
    }
    return foreign(node);
  }

  private static String foreign(Node node) {
    if (node instanceof Node.HostCompute host) {
      return Words.print(host.operator());
    }
    if (node instanceof Node.MemoryLoad load) {
      return Long.toString(load.bytes());
    }
    if (node instanceof Node.MemoryStore store) {
      return Long.toString(store.bytes());
    }
    return Words.print(((Node.Marker) node).kind());
  }

  private static String lane(Lane lane, Lane usual) {
    return lane.equals(usual) ? "" : " lane=" + Words.print(lane.name());
  }

  private static String types(String key, List<TensorType> types) {
    return types.isEmpty()
        ? ""
        : types.stream().map(TensorType::toString).collect(Collectors.joining(",", key, ""));
  }

  private static String print(Peer peer) {
    if (peer instanceof Peer.Along along) {
      return Words.print(along.axis()) + ":" + signed(along.offset());
    }
    Peer.OfJob other = (Peer.OfJob) peer;
    return "job "
        + Words.print(other.job())
        + other.coordinates().entrySet().stream()
            .map(each -> Words.print(each.getKey()) + "=" + print(each.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
  }

  private static String print(Peer.Coordinate of) {
    return Words.print(of.axis()) + "*" + of.times() + "/" + of.over() + signed(of.plus());
  }

  private static String signed(int number) {
    return number < 0 ? String.valueOf(number) : "+" + number;
  }

  private static String print(Group group) {
    if (group instanceof Group.Members some) {
      return Words.print(some.axis())
          + some.coordinates().stream()
              .map(String::valueOf)
              .collect(Collectors.joining(",", "{", "}"));
    }
    return ((Group.Along) group)
        .axes().stream().map(NodePrinter::print).collect(Collectors.joining("+"));
  }

  private static String print(SubAxis part) {
    String pre = part.pre() == 1 ? "" : "(" + part.pre() + ")";
    return Words.print(part.axis()) + ":" + pre + part.size();
  }

  private static String number(String key, long value) {
    return value == 0 ? "" : key + value;
  }

  private static String ids(String key, Ids ids, IntFunction<String> text) {
    return ids.size() == 0
        ? ""
        : ids.stream().mapToObj(text).collect(Collectors.joining(",", key, ""));
  }

  /**
   * The name; of a tensor that the graph lacks, the id, so that a broken graph can be looked at.
   */
  private String tensor(int id) {
    return 0 <= id && id < tensors.size() ? Words.print(tensors.get(id).name()) : "?" + id;
  }
}
