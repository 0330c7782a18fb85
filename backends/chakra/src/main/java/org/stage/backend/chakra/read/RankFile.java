package org.stage.backend.chakra.read;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.stage.api.workload.Attribute;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Ids;
import org.stage.backend.chakra.format.NodeSource;
import org.stage.backend.chakra.format.TraceFormatException;
import org.stage.backend.chakra.format.TraceTemplate;
import org.stage.backend.chakra.format.proto.Node;

/**
 * The trace of one rank. It is read when it is asked for, and not kept: first for what can be wrong
 * in it, then for each graph that is wanted.
 */
record RankFile(int rank, int ranks, Path file) {
  /**
   * Reads the file once.
   *
   * @throws org.stage.api.diagnostic.InputException if it is damaged, or its dependencies are
   */
  RankScan scan(Groups groups, Losses losses) throws IOException {
    RankScan scan = new RankScan(this, groups, losses);
    Skeleton skeleton = new Skeleton();
    try (NodeSource source = NodeSource.open(file)) {
      scan.head(source.metadata());
      for (Node node = source.next(); node != null; node = source.next()) {
        scan.node(node);
        skeleton.add(node);
      }
    } catch (TraceFormatException e) {
      throw At.refuse(e);
    }
    scan.end(skeleton);
    return scan;
  }

  /**
   * Reads the file again, as a graph.
   *
   * @param ordered whether its nodes stand in the order of issue
   */
  ExecutionGraph graph(Groups groups, boolean ordered) {
    try {
      return ordered ? graphInOrder(groups) : graphInOrderOfIssue(groups);
    } catch (TraceFormatException e) {
      throw At.refuse(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ExecutionGraph graphInOrder(Groups groups) throws IOException {
    NodeTranslator translator = new NodeTranslator(rank, ranks, file, groups);
    Skeleton skeleton = new Skeleton();
    List<org.stage.api.workload.Node> nodes = new ArrayList<>();
    try (NodeSource source = NodeSource.open(file)) {
      for (Node node = source.next(); node != null; node = source.next()) {
        Ids data = places(node.getDataDepsList(), skeleton, place -> place);
        Ids control = places(node.getCtrlDepsList(), skeleton, place -> place);
        nodes.add(translator.translate(node, nodes.size(), data, control));
        skeleton.add(node);
      }
      return new ExecutionGraph(nodes, List.of(), attributes(source));
    }
  }

  private ExecutionGraph graphInOrderOfIssue(Groups groups) throws IOException {
    Skeleton skeleton = skeleton();
    skeleton.index();
    int[] order = skeleton.order();
    int[] place = new int[skeleton.nodes()];
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i;
    }
    NodeTranslator translator = new NodeTranslator(rank, ranks, file, groups);
    org.stage.api.workload.Node[] nodes = new org.stage.api.workload.Node[place.length];
    try (NodeSource source = NodeSource.open(file)) {
      for (int i = 0; i < place.length; i++) {
        Node node = source.next();
        if (node == null || node.getId() != skeleton.id(i)) {
          throw new IOException(file + " was changed while it was read");
        }
        Ids data = places(node.getDataDepsList(), skeleton, each -> place[each]);
        Ids control = places(node.getCtrlDepsList(), skeleton, each -> place[each]);
        nodes[place[i]] = translator.translate(node, place[i], data, control);
      }
      return new ExecutionGraph(Arrays.asList(nodes), List.of(), attributes(source));
    }
  }

  private Skeleton skeleton() throws IOException {
    Skeleton skeleton = new Skeleton();
    try (NodeSource source = NodeSource.open(file)) {
      for (Node node = source.next(); node != null; node = source.next()) {
        skeleton.add(node);
      }
    }
    return skeleton;
  }

  private static List<Attribute> attributes(NodeSource source) {
    List<Attribute> attributes = new ArrayList<>(PassedOn.of(source.metadata()));
    attributes.remove(PassedOn.text(TraceTemplate.GZIP_MARK));
    return attributes;
  }

  /** Places in the graph of those that are there. */
  private static Ids places(List<Long> ids, Skeleton skeleton, IntUnaryOperator place) {
    if (ids.isEmpty()) {
      return Ids.NONE;
    }
    int[] found = new int[ids.size()];
    int count = 0;
    for (long id : ids) {
      int node = skeleton.find(id);
      if (node != Skeleton.NONE) {
        found[count++] = place.applyAsInt(node);
      }
    }
    return Ids.of(Arrays.copyOf(found, count));
  }
}
