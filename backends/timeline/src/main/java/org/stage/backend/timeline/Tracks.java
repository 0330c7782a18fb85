package org.stage.backend.timeline;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Node;
import org.stage.backend.timeline.format.TraceEventWriter;
import org.stage.sim.AlikeRanks;
import org.stage.sim.Times;

/** Writes what ranks do, each node on the track of its stream. */
final class Tracks {
  private final Settings settings;
  private final Shown shown;
  private final TraceEventWriter out;

  /** Numbers of messages whose other end is not written yet. */
  private final Map<Message, Long> flows = new HashMap<>();

  private long messages;
  private int ranks;

  Tracks(Settings settings, Shown shown, TraceEventWriter out) {
    this.settings = settings;
    this.shown = shown;
    this.out = out;
  }

  /** How many ranks are written. */
  int ranks() {
    return ranks;
  }

  void write(int rank, AlikeRanks alike, ExecutionGraph graph, Times times) throws IOException {
    String name = "rank " + rank + " (stage " + alike.stage() + ")";
    out.process(rank, name, "ranks " + alike.ranks());
    Streams streams = Streams.of(graph, alike.mesh().mesh(), settings.perGroup());
    for (int track = 0; track < streams.names().size(); track++) {
      out.thread(rank, track, streams.names().get(track));
    }
    for (Node node : TrackOrder.of(graph, streams, times)) {
      write(rank, alike.mesh(), streams.of(node), node, times);
    }
    ranks++;
  }

  private void write(int rank, JobMesh mesh, int track, Node node, Times times) throws IOException {
    long from = nanoseconds(times.start(node.id()));
    long to = nanoseconds(times.end(node.id()));
    Map<String, Object> arguments = Arguments.of(node, mesh.mesh());
    long waited = times.start(node.id()) - times.ready(node.id());
    if (waited > 0) {
      arguments.put("waited_us", waited / 1e6);
    }
    out.slice(rank, track, node.name(), category(node), from, to, arguments);
    if (node instanceof Node.Send send) {
      int peer = mesh.peer(rank, send.peer());
      if (hasArrow(peer)) {
        long id = flow(new Message(rank, peer, send.tag()));
        out.flowStart(id, rank, track, "message", from);
      }
    } else if (node instanceof Node.Recv recv) {
      int peer = mesh.peer(rank, recv.peer());
      if (hasArrow(peer)) {
        long id = flow(new Message(peer, rank, recv.tag()));
        // a slice does not hold its own end
        out.flowEnd(id, rank, track, "message", Math.max(from, to - 1));
      }
    }
  }

  private boolean hasArrow(int peer) {
    return settings.arrows() && shown.ranks().contains(peer);
  }

  /** The number of a message, given when its first end is written and forgotten at its second. */
  private long flow(Message message) {
    Long known = flows.remove(message);
    if (known != null) {
      return known;
    }
    flows.put(message, ++messages);
    return messages;
  }

  private static String category(Node node) {
    if (node instanceof Node.Compute) {
      return node.phase().text();
    }
    if (node instanceof Node.MemoryLoad || node instanceof Node.MemoryStore) {
      return "memory";
    }
    return node instanceof Node.Collective ? "collective" : "message";
  }

  static long nanoseconds(long picoseconds) {
    return Math.addExact(picoseconds, 500) / 1000;
  }

  private record Message(int source, int destination, int tag) {}
}
