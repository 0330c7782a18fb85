package org.stage.numeric;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.graph.Module;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.job.ContextParallelism;
import org.stage.job.Strategies;
import org.stage.job.Strategy;
import org.stage.model.Quantization;
import org.stage.module.ModuleLibrary;
import org.stage.operator.OperatorRules;
import org.stage.parallel.DeviceMesh;
import org.stage.parallel.ShardingRules;
import org.stage.parallel.Standard;
import org.stage.testkit.text.GraphTextParser;

/** Experts between the exchanges of their rows, executed: rows come in as they were dispatched. */
class ExpertNumericTest {
  /** As in the library, on rows that are the residual stream: that of each expert in a batch. */
  private static final Module EXPERTS =
      GraphTextParser.parse(
          """
          module experts
          axis batch, norm_seq, embed
          axis expert:expert = batch, slot:slot = norm_seq, expert_mlp
          input x[batch, norm_seq, embed]
          parameter gate[expert, embed, expert_mlp]:weight
          parameter up[expert, embed, expert_mlp]:weight
          parameter down[expert, expert_mlp, embed]:weight
          dispatch: e[expert, slot, embed] = constrain(x[expert, slot, embed])
          gate: g[expert, slot, expert_mlp] = einsum(e[expert, slot, embed], gate[expert, embed, expert_mlp])
          up: u[expert, slot, expert_mlp] = einsum(e[expert, slot, embed], up[expert, embed, expert_mlp])
          activation: a[expert, slot, expert_mlp] = swiglu(g[expert, slot, expert_mlp], u[expert, slot, expert_mlp])
          down: f[expert, slot, embed] = einsum(a[expert, slot, expert_mlp], down[expert, expert_mlp, embed])
          combine: y[batch, norm_seq, embed] = constrain(f[batch, norm_seq, embed])
          output y
          """);

  @ParameterizedTest
  @CsvSource({"8,1,8", "8,2,4", "8,4,2", "8,8,8", "8,2,1", "4,1,2", "4,2,2", "2,1,1"})
  void ranksTogetherComputeWhatOneComputes(int tp, int expertTp, int kvHeads) {
    List<MeshAxis> axes =
        List.of(new MeshAxis("tp", tp), new MeshAxis("ep", 2), new MeshAxis("dp", 2));
    DeviceMesh mesh = DeviceMesh.of(new Mesh(axes), kvHeads, expertTp);
    check(mesh, kvHeads, expertTp, Strategies.of(mesh.mesh(), true, true));
  }

  static IntStream seeds() {
    return IntStream.range(0, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void andSoInAnyOrderOfTheMeshAndOfRules(int seed) {
    Random random = new Random(seed);
    int tp = 1 << random.nextInt(3);
    int expertTp = Math.min(tp, 1 << random.nextInt(3));
    List<MeshAxis> axes = new ArrayList<>(List.of(new MeshAxis("tp", tp), new MeshAxis("ep", 2)));
    List.of("cp", "dp").forEach(axis -> axes.add(new MeshAxis(axis, 1 + random.nextInt(2))));
    Collections.shuffle(axes, random);
    int kvHeads = 1 << random.nextInt(3);
    DeviceMesh mesh = DeviceMesh.of(new Mesh(axes), kvHeads, expertTp);
    Map<String, List<String>> own = new HashMap<>();
    if (expertTp == tp && random.nextBoolean()) {
      own.put("expert_mlp", List.of());
      own.put("expert", random.nextBoolean() ? List.of("ep", "tp") : List.of("tp", "ep"));
    }
    if (random.nextBoolean()) {
      own.put("batch", List.of("ep", "dp"));
    }
    if (random.nextBoolean()) {
      own.put("norm_seq", random.nextBoolean() ? List.of("tp", "cp") : List.of("cp"));
    }
    boolean sequenceParallel = random.nextBoolean();
    ContextParallelism context = ContextParallelism.ALL_GATHER;
    check(
        mesh,
        kvHeads,
        expertTp,
        Strategies.of(mesh.mesh(), sequenceParallel, sequenceParallel, context, own));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void tokensReachTheirExpertsAndComeBackAsOnOneRank(int seed) {
    Random random = new Random(seed);
    Set<String> features = new HashSet<>(Set.of("shared_experts"));
    features.add(random.nextBoolean() ? "gates_in_activation" : "gates_in_combine");
    int tp = 1 << random.nextInt(3);
    boolean sequenceParallel = random.nextBoolean();
    int expertTp = sequenceParallel ? Math.min(tp, 1 << random.nextInt(3)) : tp;
    List<MeshAxis> axes = new ArrayList<>(List.of(new MeshAxis("tp", tp)));
    List.of("ep", "cp", "dp").forEach(axis -> axes.add(new MeshAxis(axis, 1 + random.nextInt(2))));
    Collections.shuffle(axes, random);
    int kvHeads = 1 << random.nextInt(3);
    DeviceMesh mesh = DeviceMesh.of(new Mesh(axes), kvHeads, expertTp);
    Strategy strategy = Strategies.of(mesh.mesh(), sequenceParallel, sequenceParallel);
    boolean gathers = sequenceParallel && expertTp == tp && random.nextBoolean();
    if (gathers) {
      features.add("gathered_tokens");
    }
    ShardingRules rules =
        Standard.rules(
            mesh,
            kvHeads,
            gathers ? Strategies.gathering(strategy) : Strategies.withExpertTp(strategy, expertTp));
    features.add("dispatch_in_precision");
    check(ModuleLibrary.standard().build("moe", features), mesh, rules, kvHeads, 6);
    if (seed % 15 == 0) {
      features.remove("dispatch_in_precision");
      features.add("dispatch_in_eight_bits");
      Module cast = ModuleLibrary.standard().build("moe", features);
      check(Quantization.of(cast, OperatorRules.standard()), mesh, rules, kvHeads, 256);
    }
  }

  private static void check(
      Module moe, DeviceMesh mesh, ShardingRules rules, int kvHeads, long width) {
    Map<String, Long> sizes = Tiny.sizes(4, kvHeads, 8);
    sizes.put("embed", width);
    sizes.put("batch", 4L);
    sizes.put("expert_rows", 4L * 4 * 8);
    sizes.put("held_rows", 4L * 4 * 8);
    UnitProof.check(moe, new Cluster(mesh, rules, moe, sizes));
  }

  /** Rows come in where the rules have them beside their tokens. */
  private static void check(DeviceMesh mesh, int kvHeads, int expertTp, Strategy strategy) {
    ShardingRules real = Standard.rules(mesh, kvHeads, Strategies.withExpertTp(strategy, expertTp));
    Map<String, List<Integer>> rules = new HashMap<>(real.rules());
    rules.put("batch", List.of());
    rules.put("norm_seq", real.rules().get("token_slot"));
    Map<String, Long> sizes = Map.of("batch", 8L, "norm_seq", 32L, "embed", 3L, "expert_mlp", 8L);
    UnitProof.check(EXPERTS, new Cluster(mesh, Standard.rules(rules), EXPERTS, sizes));
  }
}
