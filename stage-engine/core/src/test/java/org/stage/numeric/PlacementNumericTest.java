package org.stage.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.graph.Module;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.Node.Collective;
import org.stage.backward.Differentiation;
import org.stage.job.ContextParallelism;
import org.stage.job.Strategies;
import org.stage.job.Strategy;
import org.stage.model.Quantization;
import org.stage.module.ModuleLibrary;
import org.stage.operator.OperatorRules;
import org.stage.operator.ScaledSwish;
import org.stage.parallel.DeviceMesh;
import org.stage.parallel.PlacedModule;
import org.stage.parallel.Placer;
import org.stage.parallel.ShardingRules;
import org.stage.parallel.Standard;
import org.stage.parallel.Step;
import org.stage.testkit.text.GraphTextParser;

/**
 * The derived collectives, executed: each device holds its parts, and every value, output and
 * parameter gradient is what one device alone would have computed.
 */
class PlacementNumericTest {
  static Stream<Arguments> cases() {
    List<Arguments> all = new ArrayList<>();
    for (String family :
        List.of(
            Tiny.LLAMA,
            Tiny.GPT,
            Tiny.PALM,
            Tiny.QWEN,
            Tiny.QWEN_3,
            Tiny.DEEPSEEK,
            Tiny.DEEPSEEK_LITE)) {
      for (String attention : List.of("flash_attention", "unfused_attention")) {
        for (String mesh : List.of("tp 1 dp 2", "tp 2 dp 1", "tp 4 dp 1", "tp 4 dp 2")) {
          for (boolean sequenceParallel : List.of(false, true)) {
            for (int kvHeads : List.of(1, 2, 4)) {
              String features = family + " " + attention;
              all.add(Arguments.of(features, mesh, sequenceParallel, 4, kvHeads));
            }
          }
        }
      }
    }
    for (int kvHeads : List.of(1, 2, 4, 8)) {
      all.add(Arguments.of(Tiny.LLAMA + " flash_attention", "tp 8 dp 1", true, 8, kvHeads));
      all.add(Arguments.of(Tiny.GPT + " unfused_attention", "dp 2 tp 8", false, 8, kvHeads));
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{0}, {1}, sequence parallel {2}, {3} heads, {4} of keys")
  @MethodSource("cases")
  void devicesTogetherComputeWhatOneDeviceComputes(
      String features, String axes, boolean sequenceParallel, int heads, int kvHeads) {
    for (String name : Tiny.MODULES) {
      for (boolean scattered : List.of(false, true)) {
        if (scattered || name.equals("embedding")) {
          DeviceMesh mesh = DeviceMesh.of(mesh(axes), kvHeads);
          ShardingRules rules =
              Standard.rules(
                  mesh, kvHeads, Strategies.of(mesh.mesh(), sequenceParallel, scattered));
          Module forward = Tiny.module(name, features);
          UnitProof.check(
              forward, new Cluster(mesh, rules, forward, Tiny.sizes(heads, kvHeads, 8)));
        }
      }
    }
  }

  static Stream<Arguments> contexts() {
    List<Arguments> all = new ArrayList<>();
    for (ContextParallelism context : ContextParallelism.values()) {
      for (String axes :
          List.of(
              "cp 2", "cp 4", "cp 2 tp 2", "tp 2 cp 2", "dp 2 cp 4", "cp 2 tp 4", "tp 4 cp 2")) {
        Mesh mesh = mesh(axes);
        for (int kvHeads : List.of(2, 4)) {
          boolean exchanges = context == ContextParallelism.ULYSSES;
          if (!exchanges || kvHeads % (mesh.degree("tp") * mesh.degree("cp")) == 0) {
            all.add(Arguments.of(context, axes, kvHeads, false));
            all.add(Arguments.of(context, axes, kvHeads, true));
          }
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{0}, {1}, {2} heads of keys, sequence parallel {3}")
  @MethodSource("contexts")
  void contextParallelDevicesTogetherComputeWhatOneDeviceComputes(
      ContextParallelism context, String axes, int kvHeads, boolean sequenceParallel) {
    DeviceMesh mesh = DeviceMesh.of(mesh(axes), kvHeads);
    ShardingRules rules =
        Standard.rules(
            mesh, kvHeads, Strategies.of(mesh.mesh(), sequenceParallel, true, context, Map.of()));
    String exchange = context == ContextParallelism.ULYSSES ? " ulysses" : "";
    Module forward = Tiny.module("decoder_layer", Tiny.LLAMA + " flash_attention" + exchange);
    UnitProof.check(forward, new Cluster(mesh, rules, forward, Tiny.sizes(4, kvHeads, 8)));
  }

  /** Keys go round along cp alone: what else splits the sequence is gathered before. */
  @ParameterizedTest
  @ValueSource(strings = {"cp tp", "tp cp", "cp"})
  void sequencesMayBeSplitFurtherThanTheRingGoes(String rule) {
    Map<String, List<String>> own =
        Map.of("seq", List.of(rule.split(" ")), "heads", List.of(), "mlp", List.of());
    DeviceMesh mesh = DeviceMesh.of(mesh("tp 2 cp 2"), 2);
    ShardingRules rules =
        Standard.rules(
            mesh, 2, Strategies.of(mesh.mesh(), false, false, ContextParallelism.RING, own));
    Module forward = Tiny.module("decoder_layer", Tiny.LLAMA + " flash_attention");
    UnitProof.check(forward, new Cluster(mesh, rules, forward, Tiny.sizes(4, 2, 8)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tp 2 dp 1", "tp 2 dp 2", "cp 2 tp 2"})
  void devicesTogetherMultiplyInEightBitsAsOneDeviceDoes(String axes) {
    for (String family : List.of(Tiny.LLAMA, Tiny.GPT, Tiny.PALM)) {
      DeviceMesh mesh = DeviceMesh.of(mesh(axes), 2);
      ShardingRules rules = Standard.rules(mesh, 2, Strategies.of(mesh.mesh(), true, true));
      Module forward =
          Quantization.of(
              Tiny.module("decoder_layer", family + " flash_attention"), OperatorRules.standard());
      UnitProof.check(forward, new Cluster(mesh, rules, forward, Tiny.sizes(4, 2, 8)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Tiny.LLAMA, Tiny.GPT, Tiny.PALM, Tiny.QWEN})
  void devicesTogetherComputeFullyShardedTensorParallelism(String family) {
    Map<String, List<String>> own = new HashMap<>();
    List.of("residual", "embed_in").forEach(axis -> own.put(axis, List.of("tp")));
    List.of("heads_out", "kv_heads_out", "mlp_out").forEach(axis -> own.put(axis, List.of()));
    DeviceMesh mesh = DeviceMesh.of(mesh("tp 2 dp 2"), 2);
    ShardingRules rules =
        Standard.rules(
            mesh, 2, Strategies.of(mesh.mesh(), false, false, ContextParallelism.ALL_GATHER, own));
    for (String name : Tiny.MODULES) {
      Module forward = Tiny.module(name, family + " flash_attention");
      UnitProof.check(forward, new Cluster(mesh, rules, forward, Tiny.sizes(4, 2, 8)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tp 2 dp 1", "tp 4 dp 2", "cp 2 tp 2"})
  void devicesTogetherComputeAnOperatorThatOnlyTestsKnow(String axes) {
    ModuleLibrary library = new ModuleLibrary(ScaledSwish.OPERATORS);
    Module forward = library.build("swish_network", Set.of());
    DeviceMesh mesh = DeviceMesh.of(mesh(axes), 4);
    for (boolean sequenceParallel : List.of(false, true)) {
      ShardingRules rules =
          ShardingRules.of(
              mesh,
              4,
              Strategies.of(mesh.mesh(), sequenceParallel, true),
              library.axes(List.of(forward)));
      Cluster cluster = new Cluster(mesh, rules, forward, Tiny.sizes(4, 4, 8));
      UnitProof.check(forward, cluster, library.operators());
    }
  }

  static IntStream seeds() {
    return IntStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void devicesTogetherComputeARandomModule(int seed) {
    Random random = new Random(seed);
    Module forward = new RandomModule(random, false).build();
    DeviceMesh mesh = DeviceMesh.of(mesh("dp 2 tp 4 cp 2"), 2);
    Map<String, List<Integer>> rules = new HashMap<>();
    share(random, rules, "mlp", "batch");
    share(random, rules, "boundary_rows", "boundary_columns");
    Map<String, Long> sizes = Map.of("batch", 16L, "embed", 16L, "mlp", 16L);
    Cluster cluster = new Cluster(mesh, Standard.rules(rules), forward, sizes);
    checkPrograms(forward, cluster, List.of("boundary_rows", "boundary_columns"));
  }

  /** Deals four mesh axes out to two axes of a tensor, in any order; some to none. */
  private static void share(
      Random random, Map<String, List<Integer>> rules, String one, String other) {
    List<Integer> axes = new ArrayList<>(List.of(0, 1, 2, 3));
    Collections.shuffle(axes, random);
    int first = random.nextInt(4);
    rules.put(one, axes.subList(0, first));
    rules.put(other, axes.subList(first, first + random.nextInt(5 - first)));
  }

  /** All values of both passes; returns the forward program. */
  private static PlacedModule checkPrograms(
      Module forward, Cluster cluster, List<String> boundary) {
    DeviceMesh mesh = cluster.devices();
    Map<String, Dense> whole = Interpreter.bothPasses(forward, cluster.bindings(), 13);
    PlacedModule placed =
        Placer.forward(
            Standard.placing(mesh, cluster.rules()),
            forward,
            Standard.layout(cluster.rules(), boundary));
    PlacedRun run = new PlacedRun(cluster, placed, whole).run(null);
    Module gradient = Differentiation.of(forward, OperatorRules.standard());
    PlacedModule backward =
        Placer.backward(
            Standard.placing(mesh, cluster.rules()),
            gradient,
            placed,
            Standard.layout(cluster.rules(), boundary));
    new PlacedRun(cluster, backward, whole).run(run);
    return placed;
  }

  @Test
  void anAxisThatMovesFromOneDimensionToAnotherTakesAnAllToAll() {
    Module forward =
        GraphTextParser.parse(
            """
            module ulysses
            axis batch, norm_seq = seq, seq, heads, all_heads = heads, head_dim
            input x[batch, norm_seq, all_heads, head_dim]
            parameter w[heads, head_dim]:weight
            turn: r[batch, seq, heads, head_dim] = rotary(x[batch, seq, heads, head_dim])
            bias: q[batch, seq, heads, head_dim] = add(r[batch, seq, heads, head_dim], w[heads, head_dim])
            back: y[batch, norm_seq, all_heads, head_dim] = gelu(q[batch, norm_seq, all_heads, head_dim])
            output y
            """);
    DeviceMesh mesh = DeviceMesh.of(mesh("tp 4 dp 2"), 4);
    ShardingRules rules = Standard.rules(mesh, 4, Strategies.of(mesh.mesh(), true, true));
    List<String> boundary = List.of("batch", "norm_seq", "all_heads", "head_dim");
    Cluster cluster = new Cluster(mesh, rules, forward, Tiny.sizes(4, 4, 8));
    PlacedModule placed = checkPrograms(forward, cluster, boundary);
    assertThat(placed.steps().stream().filter(Step.Transfer.class::isInstance))
        .extracting(step -> ((Step.Transfer) step).kind())
        .containsExactly(Collective.Kind.ALL_TO_ALL, Collective.Kind.ALL_TO_ALL);
  }

  @ParameterizedTest
  @CsvSource({"4, 1", "4, 2", "4, 4", "6, 1", "6, 2", "6, 6"})
  void moreRanksThanHeadsTogetherComputeWhatOneComputes(int heads, int kvHeads) {
    Mesh axes = mesh("tp 8");
    DeviceMesh mesh = DeviceMesh.of(axes, heads, kvHeads, 8);
    Map<String, List<String>> queries = Map.of("core_seq", List.of("tp"));
    for (Map<String, List<String>> own : List.of(Map.<String, List<String>>of(), queries)) {
      for (boolean sequenceParallel : List.of(false, true)) {
        ContextParallelism context = ContextParallelism.ALL_GATHER;
        ShardingRules rules =
            Standard.rules(
                mesh,
                kvHeads,
                Strategies.of(axes, sequenceParallel, sequenceParallel, context, own));
        List<String> families =
            heads == kvHeads
                ? List.of(Tiny.GPT, Tiny.DEEPSEEK, Tiny.LLAMA + " unfused_attention")
                : List.of(Tiny.LLAMA, Tiny.QWEN_3);
        for (String family : families) {
          String flash = family.contains("unfused") ? "" : " flash_attention";
          Module forward = Tiny.module("decoder_layer", family + flash);
          UnitProof.check(
              forward, new Cluster(mesh, rules, forward, Tiny.sizes(heads, kvHeads, 8)));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Tiny.DEEPSEEK, Tiny.DEEPSEEK_LITE})
  void latentVectorsMayBeMadeOfWholeSequencesOnEachRank(String family) {
    DeviceMesh mesh = DeviceMesh.of(mesh("tp 4 dp 2"), 4);
    Strategy how = Strategies.gathering(Strategies.of(mesh.mesh(), true, true));
    Module forward = Tiny.module("decoder_layer", family + " flash_attention");
    ShardingRules rules = Standard.rules(mesh, 4, how);
    UnitProof.check(forward, new Cluster(mesh, rules, forward, Tiny.sizes(4, 4, 8)));
  }

  @Test
  void partsThatAreJoinedAreReducedOnce() {
    Module forward =
        GraphTextParser.parse(
            """
            module parts
            axis batch, seq, embed, mlp, head_dim, positions, both = head_dim + positions
            input x[batch, seq, embed]
            parameter u[embed, mlp]:weight
            parameter v[mlp, head_dim]:weight
            parameter w[mlp, positions]:weight
            a: h[batch, seq, mlp] = einsum(x[batch, seq, embed], u[embed, mlp])
            b: b[batch, seq, head_dim] = einsum(h[batch, seq, mlp], v[mlp, head_dim])
            c: c[batch, seq, positions] = einsum(h[batch, seq, mlp], w[mlp, positions])
            join: y[batch, seq, both] = concat(b[batch, seq, head_dim], c[batch, seq, positions])
            output y
            """);
    DeviceMesh mesh = DeviceMesh.of(mesh("tp 4 dp 2"), 4);
    ShardingRules rules = Standard.rules(mesh, 4, Strategies.of(mesh.mesh(), false, true));
    Cluster cluster = new Cluster(mesh, rules, forward, Tiny.sizes(4, 4, 8));
    PlacedModule placed = checkPrograms(forward, cluster, List.of("batch", "seq", "both"));
    assertThat(placed.steps().stream().filter(Step.Transfer.class::isInstance))
        .extracting(Step::name)
        .containsExactly("y.all-reduce");
  }

  private static Mesh mesh(String text) {
    String[] words = text.split(" ");
    List<MeshAxis> axes = new ArrayList<>();
    for (int i = 0; i < words.length; i += 2) {
      axes.add(new MeshAxis(words[i], Integer.parseInt(words[i + 1])));
    }
    return new Mesh(axes);
  }
}
