package org.stage.backend.timeline;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;
import org.stage.backend.timeline.format.TraceEventWriter;
import org.stage.backend.timeline.sim.AlikeRanks;
import org.stage.backend.timeline.sim.Times;

/**
 * Writes the tracks of ranks: kernels on one, collectives and sends on one, and the receives from
 * each peer on one, as those of several peers may be under way at once.
 */
final class Tracks {
  private static final int COMPUTE = 0;
  private static final int COMMUNICATION = 1;
  private static final int RECEIVE = 2;

  private final Mesh mesh;
  private final boolean arrows;
  private final Shown shown;
  private final TraceEventWriter out;

  /** Numbers of messages whose other end is not written yet. */
  private final Map<Message, Long> flows = new HashMap<>();

  private long messages;
  private int ranks;

  Tracks(Mesh mesh, boolean arrows, Shown shown, TraceEventWriter out) {
    this.mesh = mesh;
    this.arrows = arrows;
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
    out.thread(rank, COMPUTE, "compute");
    out.thread(rank, COMMUNICATION, "communication");
    Map<String, Integer> receives = receiveTracks(rank, graph);
    for (Node node : graph.nodes()) {
      write(rank, track(node, receives), node, times);
    }
    ranks++;
  }

  private void write(int rank, int track, Node node, Times times) throws IOException {
    long from = nanoseconds(times.start(node.id()));
    long to = nanoseconds(times.end(node.id()));
    Map<String, Object> arguments = Arguments.of(node, mesh);
    long waited = times.start(node.id()) - times.ready(node.id());
    if (waited > 0) {
      arguments.put("waited_us", waited / 1e6);
    }
    out.slice(rank, track, node.name(), category(node), from, to, arguments);
    if (node instanceof Node.Send send) {
      int peer = mesh.peer(rank, send.axis(), send.offset());
      if (hasArrow(peer)) {
        long id = flow(new Message(rank, peer, send.tag()));
        out.flowStart(id, rank, track, "message", from);
      }
    } else if (node instanceof Node.Recv recv) {
      int peer = mesh.peer(rank, recv.axis(), recv.offset());
      if (hasArrow(peer)) {
        long id = flow(new Message(peer, rank, recv.tag()));
        // a slice does not hold its own end
        out.flowEnd(id, rank, track, "message", Math.max(from, to - 1));
      }
    }
  }

  private boolean hasArrow(int peer) {
    return arrows && shown.ranks().contains(peer);
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

  private Map<String, Integer> receiveTracks(int rank, ExecutionGraph graph) throws IOException {
    Map<String, Integer> tracks = new LinkedHashMap<>();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Recv recv && !tracks.containsKey(source(recv))) {
        int track = RECEIVE + tracks.size();
        tracks.put(source(recv), track);
        out.thread(rank, track, "receive from " + source(recv));
      }
    }
    return tracks;
  }

  private String source(Node.Recv recv) {
    return Arguments.peer(recv.axis(), recv.offset());
  }

  private int track(Node node, Map<String, Integer> receives) {
    if (node instanceof Node.Recv recv) {
      return receives.getOrDefault(source(recv), RECEIVE);
    }
    return node instanceof Node.Compute ? COMPUTE : COMMUNICATION;
  }

  private static String category(Node node) {
    if (node instanceof Node.Compute) {
      return node.phase().text();
    }
    return node instanceof Node.Collective ? "collective" : "message";
  }

  static long nanoseconds(long picoseconds) {
    return (picoseconds + 500) / 1000;
  }

  private record Message(int source, int destination, int tag) {}
}
