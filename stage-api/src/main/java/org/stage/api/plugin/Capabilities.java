package org.stage.api.plugin;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
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
 * Mesh, ExecutionGraph)} do so for it. What it takes without translating it, it declares as lost,
 * and reports as a loss wherever it meets it. Declared once, shown by {@code stage plugins}, and
 * held to by the test kit in both directions.
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
    List<String> files,
    Set<NodeKind> lostNodes,
    Set<ModelFeature> lostFeatures) {

  /** Copies the collections; sets come in the order of their constants. */
  public Capabilities {
    nodes = ordered(NodeKind.class, nodes);
    parallelisms = ordered(Parallelism.class, parallelisms);
    features = ordered(ModelFeature.class, features);
    files = List.copyOf(files);
    lostNodes = ordered(NodeKind.class, lostNodes);
    lostFeatures = ordered(ModelFeature.class, lostFeatures);
  }

  /** Whatever this version of the API can say. */
  public static Capabilities everything() {
    return new Capabilities(
        EnumSet.allOf(NodeKind.class),
        EnumSet.allOf(Parallelism.class),
        EnumSet.allOf(ModelFeature.class),
        List.of(),
        Set.of(),
        Set.of());
  }

  /** Nothing: the start of a list of what there is. */
  public static Capabilities nothing() {
    return new Capabilities(Set.of(), Set.of(), Set.of(), List.of(), Set.of(), Set.of());
  }

  /** These and some kinds of nodes. */
  public Capabilities with(NodeKind... more) {
    return say(plus(NodeKind.class, nodes, List.of(more)), features);
  }

  /** These and some ways of spreading a job. */
  public Capabilities with(Parallelism... more) {
    Set<Parallelism> all = plus(Parallelism.class, parallelisms, List.of(more));
    return new Capabilities(nodes, all, features, files, lostNodes, lostFeatures);
  }

  /** These and some features. */
  public Capabilities with(ModelFeature... more) {
    return say(nodes, plus(ModelFeature.class, features, List.of(more)));
  }

  /** These but for some kinds of nodes. */
  public Capabilities without(NodeKind... some) {
    return say(minus(NodeKind.class, nodes, List.of(some)), features);
  }

  /** These but for some ways of spreading a job. */
  public Capabilities without(Parallelism... some) {
    Set<Parallelism> left = minus(Parallelism.class, parallelisms, List.of(some));
    return new Capabilities(nodes, left, features, files, lostNodes, lostFeatures);
  }

  /** These but for some features. */
  public Capabilities without(ModelFeature... some) {
    return say(nodes, minus(ModelFeature.class, features, List.of(some)));
  }

  /** These, with some kinds of nodes left out, each time as a loss. */
  public Capabilities losing(NodeKind... some) {
    Set<NodeKind> lost = plus(NodeKind.class, lostNodes, List.of(some));
    Set<NodeKind> left = minus(NodeKind.class, nodes, List.of(some));
    return new Capabilities(left, parallelisms, features, files, lost, lostFeatures);
  }

  /** These, with some features left out or only come near to, each time as a loss. */
  public Capabilities losing(ModelFeature... some) {
    Set<ModelFeature> lost = plus(ModelFeature.class, lostFeatures, List.of(some));
    Set<ModelFeature> left = minus(ModelFeature.class, features, List.of(some));
    return new Capabilities(nodes, parallelisms, left, files, lostNodes, lost);
  }

  /** These, detecting these kinds of files. */
  public Capabilities withFiles(String... kinds) {
    return new Capabilities(nodes, parallelisms, features, List.of(kinds), lostNodes, lostFeatures);
  }

  private Capabilities say(Set<NodeKind> kinds, Set<ModelFeature> asked) {
    return new Capabilities(kinds, parallelisms, asked, files, lostNodes, lostFeatures);
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
    forEach(workload, (mesh, node) -> missing(mesh, node).forEach(all::add));
    return all;
  }

  /**
   * What a workload asks for that is declared as lost, in words; empty if nothing is. Builds its
   * graphs.
   */
  public Set<String> lost(Workload workload) {
    Set<String> all =
        texts(ModelFeature.of(workload).filter(lostFeatures::contains))
            .collect(Collectors.toCollection(TreeSet::new));
    forEach(
        workload,
        (mesh, node) -> {
          Stream.of(NodeKind.of(node))
              .filter(lostNodes::contains)
              .map(NodeKind::text)
              .forEach(all::add);
          texts(ModelFeature.of(mesh, node).filter(lostFeatures::contains)).forEach(all::add);
        });
    return all;
  }

  private static void forEach(Workload workload, BiConsumer<Mesh, Node> action) {
    for (RankClass each : workload.classes()) {
      Mesh mesh = workload.meshOf(each).mesh();
      each.graph().nodes().forEach(node -> action.accept(mesh, node));
    }
  }

  private static void refuse(String format, Stream<String> missing, String source, String remedy) {
    List<String> words = missing.toList();
    if (!words.isEmpty()) {
      throw new WorkException(
          source, "format " + format + " cannot say " + String.join(", ", words), remedy);
    }
  }

  private Stream<String> missingOfRun(Workload workload) {
    return texts(ModelFeature.of(workload).filter(this::refuses));
  }

  private boolean refuses(ModelFeature feature) {
    return !features.contains(feature) && !lostFeatures.contains(feature);
  }

  private boolean refuses(NodeKind kind) {
    return !nodes.contains(kind) && !lostNodes.contains(kind);
  }

  private static Stream<String> texts(Stream<ModelFeature> features) {
    return features.map(ModelFeature::text);
  }

  private Stream<String> missing(Mesh mesh) {
    return Arrays.stream(Parallelism.values())
        .filter(each -> mesh.degree(each.axis()) > 1 && !parallelisms.contains(each))
        .map(each -> each.text() + " parallelism");
  }

  private Stream<String> missing(Mesh mesh, Node node) {
    Stream<String> kinds = Stream.of(NodeKind.of(node)).filter(this::refuses).map(NodeKind::text);
    return Stream.concat(kinds, texts(ModelFeature.of(mesh, node).filter(this::refuses)));
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
