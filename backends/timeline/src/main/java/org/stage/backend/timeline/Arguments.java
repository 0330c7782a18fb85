package org.stage.backend.timeline;

import java.util.LinkedHashMap;
import java.util.Map;
import org.stage.api.workload.DataType;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;

/** What a viewer shows of a node beside its name and times. */
final class Arguments {
  private Arguments() {}

  static Map<String, Object> of(Node node, Mesh mesh) {
    Map<String, Object> arguments = new LinkedHashMap<>();
    arguments.put("phase", node.phase().text());
    if (node instanceof Node.Compute compute) {
      add(arguments, compute);
    } else if (node instanceof Node.Collective collective) {
      arguments.put("kind", collective.kind().text());
      arguments.put("group", mesh.text(collective.group()));
      arguments.put("members", collective.group().size());
      addBytes(arguments, collective.bytes(), collective.type());
    } else if (node instanceof Node.Send send) {
      arguments.put("to", send.peer().text());
      arguments.put("tag", send.tag());
      addBytes(arguments, send.bytes(), send.type());
    } else if (node instanceof Node.Recv recv) {
      arguments.put("from", recv.peer().text());
      arguments.put("tag", recv.tag());
      addBytes(arguments, recv.bytes(), recv.type());
    } else if (node instanceof Node.MemoryLoad load) {
      arguments.put("bytes", load.bytes());
    } else if (node instanceof Node.MemoryStore store) {
      arguments.put("bytes", store.bytes());
    }
    return arguments;
  }

  private static void add(Map<String, Object> arguments, Node.Compute compute) {
    arguments.put("operator", compute.operator());
    if (!compute.shape().equals(MatrixShape.NONE)) {
      arguments.put("shape", compute.shape().toString());
    }
    arguments.put("flops", compute.flops());
    arguments.put("other_flops", compute.otherFlops());
    arguments.put("bytes_read", compute.bytesRead());
    arguments.put("bytes_written", compute.bytesWritten());
  }

  private static void addBytes(Map<String, Object> arguments, long bytes, DataType type) {
    arguments.put("bytes", bytes);
    arguments.put("type", type.text());
  }
}
