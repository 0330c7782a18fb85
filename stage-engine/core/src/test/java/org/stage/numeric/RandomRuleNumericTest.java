package org.stage.numeric;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.graph.Module;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.job.ContextParallelism;
import org.stage.job.Strategies;
import org.stage.parallel.DeviceMesh;
import org.stage.parallel.RuleCheck;
import org.stage.parallel.ShardingRules;
import org.stage.parallel.Standard;

/** Whatever the order of the mesh, and whatever rules a user may write. */
class RandomRuleNumericTest {
  private static final List<String> FAMILIES =
      List.of(Tiny.LLAMA, Tiny.GPT, Tiny.PALM, Tiny.QWEN, Tiny.DEEPSEEK);

  /** What a user may say of each axis, and which mesh axes it must have. */
  private static final Map<String, List<String>> RULED =
      Map.ofEntries(
          Map.entry("batch", List.of("dp", "ep")),
          Map.entry("seq", List.of("cp")),
          Map.entry("norm_seq", List.of("cp")),
          Map.entry("embed_seq", List.of("cp")),
          Map.entry("residual", List.of()),
          Map.entry("embed_in", List.of()),
          Map.entry("embed_out", List.of()),
          Map.entry("heads", List.of()),
          Map.entry("heads_out", List.of()),
          Map.entry("kv_heads_out", List.of()),
          Map.entry("mlp", List.of()),
          Map.entry("mlp_out", List.of()),
          Map.entry("vocab", List.of()));

  static IntStream seeds() {
    return IntStream.range(0, 150);
  }

  /** Rules that put two axes of a tensor along one mesh axis are refused. */
  @ParameterizedTest
  @MethodSource("seeds")
  void devicesTogetherComputeWhatOneDeviceComputes(int seed) {
    Random random = new Random(seed);
    Mesh mesh = mesh(random);
    int kvHeads = 1 << random.nextInt(3);
    ContextParallelism context = context(random, mesh, kvHeads);
    boolean unfused = context != ContextParallelism.RING && random.nextBoolean();
    String features =
        FAMILIES.get(random.nextInt(FAMILIES.size()))
            + (unfused ? " unfused_attention" : " flash_attention")
            + (context == ContextParallelism.ULYSSES ? " ulysses" : "");
    List<Module> modules = Tiny.MODULES.stream().map(m -> Tiny.module(m, features)).toList();
    DeviceMesh devices = DeviceMesh.of(mesh, kvHeads);
    Map<String, Long> sizes = Tiny.sizes(4, kvHeads, 8);
    sizes.put("batch", 4L);
    sizes.put("embed", 8L);
    ShardingRules rules;
    do {
      rules = rules(random, devices, kvHeads, context);
    } while (!fits(devices, rules, modules));
    for (Module module : modules) {
      UnitProof.check(module, new Cluster(devices, rules, module, sizes));
    }
  }

  /** Up to eight devices. */
  private static Mesh mesh(Random random) {
    List<MeshAxis> axes = new ArrayList<>();
    axes.add(new MeshAxis("tp", random.nextBoolean() ? 2 : 4));
    List<String> others = new ArrayList<>(List.of("cp", "ep", "dp"));
    Collections.shuffle(others, random);
    int more = 1 + random.nextInt(axes.get(0).degree() == 2 ? 2 : 1);
    others.subList(0, more).forEach(axis -> axes.add(new MeshAxis(axis, 2)));
    Collections.shuffle(axes, random);
    return new Mesh(axes);
  }

  /** Exchanged heads must suffice for all who share them out. */
  private static ContextParallelism context(Random random, Mesh mesh, int kvHeads) {
    boolean few = kvHeads % (mesh.degree("tp") * mesh.degree("cp")) != 0;
    List<ContextParallelism> all = List.of(ContextParallelism.values());
    ContextParallelism drawn = all.get(random.nextInt(all.size()));
    boolean refused = drawn == ContextParallelism.ULYSSES && few;
    return refused ? ContextParallelism.ALL_GATHER : drawn;
  }

  private static ShardingRules rules(
      Random random, DeviceMesh devices, int kvHeads, ContextParallelism context) {
    Map<String, List<String>> own = new HashMap<>();
    boolean few = kvHeads % devices.mesh().degree("tp") != 0;
    for (String axis : RULED.keySet().stream().sorted().toList()) {
      if (random.nextInt(3) == 0) {
        List<String> rule = new ArrayList<>(RULED.get(axis));
        if (random.nextBoolean() && !(few && axis.equals("kv_heads_out"))) {
          rule.add("tp");
        }
        Collections.shuffle(rule, random);
        own.put(axis, rule);
      }
    }
    boolean sequenceParallel = random.nextBoolean();
    return Standard.rules(
        devices,
        kvHeads,
        Strategies.of(
            devices.mesh(),
            sequenceParallel,
            sequenceParallel || random.nextBoolean(),
            context,
            own));
  }

  private static boolean fits(DeviceMesh devices, ShardingRules rules, List<Module> modules) {
    return modules.stream()
        .allMatch(module -> RuleCheck.conflict(devices, rules, module).isEmpty());
  }
}
