package org.stage.api.text;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.stage.api.plugin.NodeKind;
import org.stage.api.workload.Attribute;
import org.stage.api.workload.Details;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.TensorValue;

/** Prints nodes of one graph; {@link ExecutionText} describes the form. */
final class NodePrinter {
  private final List<TensorValue> tensors;

  NodePrinter(List<TensorValue> tensors) {
    this.tensors = tensors;
  }

  String print(Node node) {
    Node.Header header = node.header();
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
        + details(header.details());
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
          + number(" written=", compute.bytesWritten());
    }
    if (node instanceof Node.Collective c) {
      return c.elements() + "x" + c.type().text() + " over " + print(c.group());
    }
    if (node instanceof Node.Send s) {
      return s.elements() + "x" + s.type().text() + peer(" to ", s.axis(), s.offset(), s.tag());
    }
    if (node instanceof Node.Recv r) {
      return r.elements() + "x" + r.type().text() + peer(" from ", r.axis(), r.offset(), r.tag());
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

  private static String peer(String direction, String axis, int offset, int tag) {
    String steps = offset < 0 ? String.valueOf(offset) : "+" + offset;
    return direction + Words.print(axis) + ":" + steps + number(" tag=", tag);
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
