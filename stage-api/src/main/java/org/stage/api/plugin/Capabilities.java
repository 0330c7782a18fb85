package org.stage.api.plugin;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/**
 * What a plugin can deal with. An exporter writes every workload that asks for no more than it
 * declares, and refuses every other: {@link #require(String, Workload)} and {@link #require(String,
 * Mesh, ExecutionGraph)} do so for it. Declared once, shown by {@code stage plugins}, and held to
 * by the test kit in both directions.
 *
 * <p>Made by {@link #everything}, {@link #nothing} and what follows from them, not by the
 * constructor: later versions may add components.
 *
 * @param nodes the kinds of nodes that it can say
 * @param parallelisms the ways of spreading a job that it can say
 * @param features what it can say of models, their placement and their run
 * @param files the kinds of files that it detects, as people write them: {@code config.json},
 *     {@code *.et}; empty for an exporter
 */
public record Capabilities(
    Set<NodeKind> nodes,
    Set<Parallelism> parallelisms,
    Set<ModelFeature> features,
    List<String> files) {

  /** Copies the collections; sets come in the order of their constants. */
  public Capabilities {
    nodes = ordered(NodeKind.class, nodes);
    parallelisms = ordered(Parallelism.class, parallelisms);
    features = ordered(ModelFeature.class, features);
    files = List.copyOf(files);
  }

  /** Whatever this version of the API can say. */
  public static Capabilities everything() {
    return new Capabilities(
        EnumSet.allOf(NodeKind.class),
        EnumSet.allOf(Parallelism.class),
        EnumSet.allOf(ModelFeature.class),
        List.of());
  }

  /** Nothing: the start of a list of what there is. */
  public static Capabilities nothing() {
    return new Capabilities(Set.of(), Set.of(), Set.of(), List.of());
  }

  /** These and some kinds of nodes. */
  public Capabilities with(NodeKind... more) {
    return new Capabilities(
        plus(NodeKind.class, nodes, List.of(more)), parallelisms, features, files);
  }

  /** These and some ways of spreading a job. */
  public Capabilities with(Parallelism... more) {
    return new Capabilities(
        nodes, plus(Parallelism.class, parallelisms, List.of(more)), features, files);
  }

  /** These and some features. */
  public Capabilities with(ModelFeature... more) {
    return new Capabilities(
        nodes, parallelisms, plus(ModelFeature.class, features, List.of(more)), files);
  }

  /** These but for some kinds of nodes. */
  public Capabilities without(NodeKind... some) {
    return new Capabilities(
        minus(NodeKind.class, nodes, List.of(some)), parallelisms, features, files);
  }

  /** These but for some features. */
  public Capabilities without(ModelFeature... some) {
    return new Capabilities(
        nodes, parallelisms, minus(ModelFeature.class, features, List.of(some)), files);
  }

  /** These, detecting these kinds of files. */
  public Capabilities withFiles(String... kinds) {
    return new Capabilities(nodes, parallelisms, features, List.of(kinds));
  }

  /**
   * Refuses a workload that is spread over devices in a way that is not declared, or that has
   * several jobs or slow ranks where that is not declared. Builds no graph.
   *
   * @param format the name of the format, for the message
   * @throws WorkException if there is one
   */
  public void require(String format, Workload workload) {
    for (JobMesh job : workload.jobs()) {
      Mesh mesh = job.mesh();
      refuse(format, missing(mesh), "mesh " + mesh, "Take another mesh or another format.");
    }
    refuse(format, missingOfRun(workload), workload.name(), "Take another format.");
  }

  /**
   * Refuses a graph that asks for a kind of node or a feature that is not declared. Looks at each
   * node once, which is nothing beside writing it.
   *
   * @param format the name of the format, for the message
   * @param mesh the mesh of the graph's job ({@link Workload#meshOf})
   * @throws WorkException at the first such node
   */
  public void require(String format, Mesh mesh, ExecutionGraph graph) {
    for (Node node : graph.nodes()) {
      refuse(format, missing(mesh, node), node.name(), "Take another format.");
    }
  }

  /**
   * What a workload asks for that is not declared, in words; empty if all is. Builds its graphs.
   */
  public Set<String> missing(Workload workload) {
    Set<String> all = missingOfRun(workload).collect(Collectors.toCollection(TreeSet::new));
    workload.jobs().forEach(job -> missing(job.mesh()).forEach(all::add));
    for (RankClass each : workload.classes()) {
      Mesh mesh = workload.meshOf(each).mesh();
      each.graph().nodes().forEach(node -> missing(mesh, node).forEach(all::add));
    }
    return all;
  }

  private static void refuse(String format, Stream<String> missing, String source, String remedy) {
    List<String> words = missing.toList();
    if (!words.isEmpty()) {
      throw new WorkException(
          source, "format " + format + " cannot say " + String.join(", ", words), remedy);
    }
  }

  private Stream<String> missingOfRun(Workload workload) {
    return ModelFeature.of(workload)
        .filter(feature -> !features.contains(feature))
        .map(ModelFeature::text);
  }

  private Stream<String> missing(Mesh mesh) {
    return Arrays.stream(Parallelism.values())
        .filter(each -> mesh.degree(each.axis()) > 1 && !parallelisms.contains(each))
        .map(each -> each.text() + " parallelism");
  }

  private Stream<String> missing(Mesh mesh, Node node) {
    Stream<String> kinds =
        Stream.of(NodeKind.of(node)).filter(kind -> !nodes.contains(kind)).map(NodeKind::text);
    Stream<String> asked =
        ModelFeature.of(mesh, node)
            .filter(feature -> !features.contains(feature))
            .map(ModelFeature::text);
    return Stream.concat(kinds, asked);
  }

  private static <E extends Enum<E>> Set<E> plus(Class<E> type, Set<E> some, List<E> more) {
    Set<E> all = EnumSet.noneOf(type);
    all.addAll(some);
    all.addAll(more);
    return all;
  }

  private static <E extends Enum<E>> Set<E> minus(Class<E> type, Set<E> all, List<E> some) {
    Set<E> left = plus(type, all, List.of());
    left.removeAll(some);
    return left;
  }

  private static <E extends Enum<E>> Set<E> ordered(Class<E> type, Set<E> some) {
    return Collections.unmodifiableSet(plus(type, some, List.of()));
  }
}
