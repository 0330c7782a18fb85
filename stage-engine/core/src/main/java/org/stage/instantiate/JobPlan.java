package org.stage.instantiate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operator;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.backward.Recomputation;
import org.stage.job.Batch;
import org.stage.job.Job;
import org.stage.job.ModelDescription;
import org.stage.job.StateSharding;
import org.stage.job.StateSharding.Regather;
import org.stage.job.TensorParallelism;
import org.stage.job.Training;
import org.stage.model.ModelGraph;
import org.stage.parallel.DeviceMesh;
import org.stage.parallel.PlacedUnit;
import org.stage.parallel.ShardingRules;
import org.stage.schedule.Pipeline;

/**
 * A whole job with numbers, before any rank is instantiated: a module of each kind, however many
 * layers, micro-batches and ranks there are.
 *
 * @param spec what was asked for
 * @param embedding the first module
 * @param denseLayer every decoder layer with a feed-forward network
 * @param experts the decoder layers with experts
 * @param head the last module
 * @param timing what is known of how long things take
 */
public record JobPlan(
    Job spec,
    UnitPlan embedding,
    UnitPlan denseLayer,
    ExpertPlans experts,
    UnitPlan head,
    Timing timing) {
  static final String EMBEDDING = "embedding";
  static final String HEAD = "head";

  /** Places and evaluates the modules of {@code model} for the job. */
  public static JobPlan of(Job spec, ModelGraph model) {
    Training training = spec.training();
    TensorParallelism tensor = spec.strategy().tensor();
    DeviceMesh mesh = DeviceMesh.of(spec);
    ShardingRules rules = ShardingRules.of(mesh, spec.model().kvHeads(), spec.strategy());
    Numbers numbers =
        new Numbers(
            bindings(spec, mesh), training.numerics().precision(), tensor.singlePrecision());
    // With DualPipe both ends of the pipeline hold both ends of the model.
    boolean bothEnds = spec.mesh().degree("pp") == 1 || Pipeline.of(spec).hasCopies();
    boolean borrowsTable = spec.model().tied() && bothEnds;
    Set<String> borrowed = borrowsTable ? Set.of(ModelGraph.TABLE) : Set.of();
    Zero zero = zero(spec);
    Function<Module, PlacedUnit> layer =
        module -> place(spec, mesh, rules, module, recomputation(training, module), Set.of());
    requireKnown(spec, model);
    PlacedUnit embedding =
        place(spec, mesh, rules, model.embedding(), Recomputation.NONE, Set.of());
    PlacedUnit head = place(spec, mesh, rules, model.head(), Recomputation.NONE, borrowed);
    PlacedUnit dense = layer.apply(model.denseLayer());
    PlacedUnit expert = spec.model().experts().isEmpty() ? dense : layer.apply(model.expertLayer());
    Regather again = training.sharding().regather();
    return new JobPlan(
        spec,
        UnitPlan.of(embedding, numbers, zero, again.embedding()),
        UnitPlan.of(dense, numbers, zero, again.layers()),
        new ExpertPlans(
            spec, rows -> UnitPlan.of(expert, numbers.with(rows), zero, again.layers())),
        UnitPlan.of(head, numbers, zero, again.head()),
        Timing.NONE);
  }

  private static void requireKnown(Job spec, ModelGraph model) {
    Stream<Operator> operators = model.layers().stream().flatMap(l -> l.operators().stream());
    spec.training().checkpointing().modules().requireKnown(operators.map(Operator::name).toList());
  }

  /** The same job with what is known of how long things take. */
  public JobPlan timed(Timing known) {
    return new JobPlan(spec, embedding, denseLayer, experts, head, known);
  }

  private static Recomputation recomputation(Training training, Module layer) {
    return switch (training.checkpointing().recompute()) {
      case NONE -> Recomputation.NONE;
      case SELECTIVE -> Recomputation.selective(layer);
      case FULL -> Recomputation.full(layer);
      case MODULES -> Recomputation.of(layer, training.checkpointing().modules()::covers);
    };
  }

  private static PlacedUnit place(
      Job spec,
      DeviceMesh mesh,
      ShardingRules rules,
      Module module,
      Recomputation again,
      Set<String> borrowed) {
    boolean causal = spec.training().kernels().causalFlops();
    boolean keeps = spec.strategy().tensor().keepsGathered();
    return PlacedUnit.of(mesh, rules, module, causal, again, borrowed, keeps);
  }

  private static Zero zero(Job spec) {
    StateSharding sharding = spec.training().sharding();
    int gradient = spec.training().numerics().precision().gradients().bytes();
    long bucket = sharding.bucketMb() * 1_000_000L / gradient;
    return new Zero(sharding.zero(), sharding.group(), spec.replicas(), bucket);
  }

  private Zero zero() {
    return zero(spec);
  }

  private static Map<String, Long> bindings(Job spec, DeviceMesh mesh) {
    Batch of = spec.training().batch();
    Map<String, Long> bindings = new HashMap<>(spec.model().sizes());
    bindings.putAll(mesh.degrees());
    Mesh job = spec.mesh();
    long batch = (long) of.micro() * job.degree("dp") * job.degree("ep");
    bindings.put("batch", batch);
    bindings.put("seq", (long) of.seq());
    bindings.put("vocab", (long) spec.strategy().tensor().paddedVocab());
    return bindings;
  }

  /** What an expert-parallel coordinate runs as layer {@code index}. */
  UnitPlan layer(int index, int expertRank) {
    return hasExperts(index) ? experts.at(index, expertRank) : denseLayer;
  }

  private boolean hasExperts(int layer) {
    return spec.model().experts().filter(of -> layer >= of.denseLayers()).isPresent();
  }

  int stages() {
    return spec.mesh().degree("pp");
  }

  /** The pipeline of the job; of one rank where it has none. */
  public Pipeline pipeline() {
    return Pipeline.of(spec);
  }

  int firstLayer(int position) {
    return spec.strategy().pipeline().firstLayer(position);
  }

  /** Data types of the job. */
  public Precision precision() {
    return spec.training().numerics().precision();
  }

  /**
   * Every pipeline stage, in order; where experts are not equally loaded, once for each of its
   * expert-parallel coordinates that has rows of its own number.
   */
  public List<StagePlan> stagePlans() {
    List<StagePlan> plans = new ArrayList<>();
    RankSet[][] ranks = ranks();
    for (int stage = 0; stage < stages(); stage++) {
      List<Integer> layers = layers(stage).filter(this::hasExperts).boxed().toList();
      for (List<Integer> alike : experts.alike(layers, spec.mesh().degree("ep"))) {
        RankSet[] of = ranks[stage];
        IntStream all = alike.stream().flatMapToInt(each -> of[each].stream()).sorted();
        plans.add(stagePlan(stage, alike.get(0), RankSet.of(all)));
      }
    }
    return List.copyOf(plans);
  }

  /** What adds up the gradients of a module with those of its copy on another stage, if any. */
  public List<Sync> copies(StagePlan stage, UnitPlan unit) {
    return stage
        .mirror()
        .map(pair -> Copies.of(unit, pair, zero(), precision().gradients()))
        .orElse(List.of());
  }

  /** Indices of the layers of a stage, chunk by chunk. */
  private IntStream layers(int stage) {
    return IntStream.range(0, pipeline().chunks())
        .map(chunk -> pipeline().position(stage, chunk))
        .flatMap(position -> IntStream.range(firstLayer(position), firstLayer(position + 1)));
  }

  /** The ranks by stage and expert-parallel coordinate. */
  private RankSet[][] ranks() {
    Mesh mesh = spec.mesh();
    boolean experts = mesh.degree("ep") > 1;
    IntStream.Builder[][] found = new IntStream.Builder[stages()][mesh.degree("ep")];
    for (IntStream.Builder[] stage : found) {
      Arrays.setAll(stage, each -> IntStream.builder());
    }
    for (int rank = 0; rank < mesh.devices(); rank++) {
      int coordinate = experts ? mesh.coordinate(rank, "ep") : 0;
      found[mesh.coordinate(rank, "pp")][coordinate].add(rank);
    }
    return Stream.of(found)
        .map(
            stage -> Stream.of(stage).map(each -> RankSet.of(each.build())).toArray(RankSet[]::new))
        .toArray(RankSet[][]::new);
  }

  private StagePlan stagePlan(int stage, int expertRank, RankSet ranks) {
    return StagePlan.of(this, stage, expertRank, ranks, tied(stage));
  }

  /** First and last stage each hold the tied table and add up their gradients of it. */
  private Optional<Sync> tied(int stage) {
    ModelDescription model = spec.model();
    boolean holds = stage == 0 || stage == stages() - 1;
    if (!model.tied() || stages() == 1 || !holds || pipeline().hasCopies()) {
      return Optional.empty();
    }
    UnitPlan owner = stage == 0 ? embedding : head;
    DataType type = precision().gradients();
    long table = owner.parameters().getOrDefault(ModelGraph.TABLE, 0L);
    // Where only shards outlive a micro-batch, shards are exchanged; else whole gradients, as
    // Megatron does whatever its optimizer shards.
    boolean shards = owner.exchange().accumulates();
    return Optional.of(
        new Sync(
            Collective.Kind.ALL_REDUCE,
            shards ? zero().shard(table) : table,
            type,
            new Group.Members("pp", List.of(0, stages() - 1)),
            shards ? Sync.Of.GRADIENT_SHARD : Sync.Of.GRADIENTS,
            shards ? List.of() : List.of(ModelGraph.TABLE),
            0,
            timing.of(Timing.TIED)));
  }

  /** Elements of the residual stream on one device: what passes between stages. */
  public long boundaryElements() {
    Program forward = denseLayer.forward();
    int output = forward.outputs().values().iterator().next();
    return forward.variables().get(output).elements();
  }

  /** One class for each plan of a stage; its graph is built when asked for. */
  public List<RankClass> rankClasses() {
    return stagePlans().stream()
        .map(plan -> new RankClass(plan.stage(), plan.ranks(), () -> StageGraph.of(this, plan)))
        .toList();
  }
}
