package org.stage.instantiate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.stage.api.graph.Module;
import org.stage.api.model.ModelDescription;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Node.Collective;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.backward.Recomputation;
import org.stage.model.ModelGraph;
import org.stage.parallel.DeviceMesh;
import org.stage.parallel.PlacedUnit;
import org.stage.parallel.ShardingRules;
import org.stage.schedule.Pipeline;
import org.stage.schedule.StagePartition;
import org.stage.spec.Training;
import org.stage.spec.Training.ScheduleKind;
import org.stage.spec.WorkloadSpec;

/**
 * A whole job with numbers, before any rank is instantiated: a module of each kind, however many
 * layers, micro-batches and ranks there are.
 *
 * @param spec what was asked for
 * @param embedding the first module
 * @param denseLayer every decoder layer with a feed-forward network
 * @param expertLayer every decoder layer with experts; the dense layer in a model without
 * @param head the last module
 * @param timing what is known of how long things take
 */
public record JobPlan(
    WorkloadSpec spec,
    UnitPlan embedding,
    UnitPlan denseLayer,
    UnitPlan expertLayer,
    UnitPlan head,
    Timing timing) {
  static final String EMBEDDING = "embedding";
  static final String HEAD = "head";

  /** Places and evaluates the modules of {@code model} for the job. */
  public static JobPlan of(WorkloadSpec spec, ModelGraph model) {
    Training training = spec.training();
    int kvHeads = spec.model().kvHeads();
    DeviceMesh mesh = DeviceMesh.of(spec.mesh(), kvHeads);
    boolean scattered = training.embeddingOutput() == Training.EmbeddingOutput.REDUCE_SCATTER;
    ShardingRules rules =
        ShardingRules.of(
            mesh,
            kvHeads,
            training.sequenceParallel(),
            scattered,
            training.contextParallel() == Training.ContextParallel.ULYSSES);
    Numbers numbers = new Numbers(bindings(spec, mesh), training.precision());
    boolean causal = training.causalFlops();
    // With DualPipe both ends of the pipeline hold both ends of the model.
    boolean bothEnds =
        spec.mesh().degree("pp") == 1 || training.schedule() == ScheduleKind.DUALPIPE;
    boolean borrowsTable = spec.model().tied() && bothEnds;
    Set<String> borrowed = borrowsTable ? Set.of(ModelGraph.TABLE) : Set.of();
    Zero zero = zero(spec);
    PlacedUnit embedding =
        PlacedUnit.of(mesh, rules, model.embedding(), causal, Recomputation.NONE, Set.of());
    PlacedUnit dense = layer(mesh, rules, model.denseLayer(), training);
    PlacedUnit head =
        PlacedUnit.of(mesh, rules, model.head(), causal, Recomputation.NONE, borrowed);
    UnitPlan denseLayer = UnitPlan.of(dense, numbers, zero, true);
    // Embeddings and head are the root of Megatron's and NeMo's FSDP: gathered once, kept for
    // backward.
    return new JobPlan(
        spec,
        UnitPlan.of(embedding, numbers, zero, false),
        denseLayer,
        spec.model().experts().isEmpty()
            ? denseLayer
            : UnitPlan.of(layer(mesh, rules, model.expertLayer(), training), numbers, zero, true),
        UnitPlan.of(head, numbers, zero, false),
        Timing.NONE);
  }

  /** The same job with what is known of how long things take. */
  public JobPlan timed(Timing known) {
    return new JobPlan(spec, embedding, denseLayer, expertLayer, head, known);
  }

  private static PlacedUnit layer(
      DeviceMesh mesh, ShardingRules rules, Module layer, Training training) {
    Recomputation again =
        switch (training.recompute()) {
          case NONE -> Recomputation.NONE;
          case SELECTIVE -> Recomputation.selective(layer);
          case FULL -> Recomputation.full(layer);
        };
    return PlacedUnit.of(mesh, rules, layer, training.causalFlops(), again, Set.of());
  }

  private static Zero zero(WorkloadSpec spec) {
    Training.Sharding sharding = spec.training().sharding();
    long bucket =
        sharding.bucketMb() * 1_000_000L / spec.training().precision().gradients().bytes();
    int replicas = spec.mesh().degree("dp") * spec.mesh().degree("cp") * spec.mesh().degree("ep");
    return new Zero(sharding.zero(), sharding.group(), replicas, bucket);
  }

  private Zero zero() {
    return zero(spec);
  }

  private static Map<String, Long> bindings(WorkloadSpec spec, DeviceMesh mesh) {
    Training training = spec.training();
    Map<String, Long> bindings = new HashMap<>(spec.model().sizes());
    bindings.putAll(mesh.degrees());
    Mesh job = spec.mesh();
    long batch = (long) training.microBatch() * job.degree("dp") * job.degree("ep");
    bindings.put("batch", batch);
    bindings.put("expert_rows", expertRows(spec, batch * training.seq()));
    bindings.put("seq", (long) training.seq());
    bindings.put("vocab", (long) training.paddedVocab());
    return bindings;
  }

  /**
   * Rows that all experts of a layer have of a micro-batch over the whole job: each token's
   * choices, or with a capacity as many as every rank pads to.
   */
  private static long expertRows(WorkloadSpec spec, long tokens) {
    if (spec.model().experts().isEmpty()) {
      return 0;
    }
    ModelDescription.Experts experts = spec.model().experts().get();
    Training training = spec.training();
    if (training.expertCapacity().isEmpty()) {
      return tokens * experts.perToken();
    }
    Mesh mesh = spec.mesh();
    int split = training.sequenceParallel() ? mesh.degree("tp") : 1;
    long ranks = (long) mesh.degree("dp") * mesh.degree("ep") * mesh.degree("cp") * split;
    long own = tokens / ranks;
    double each = (double) own * experts.perToken() / experts.count();
    long capacity = (long) Math.ceil(each * training.expertCapacity().getAsDouble());
    return capacity * experts.count() * ranks;
  }

  /** What layer {@code index} runs. */
  UnitPlan layer(int index) {
    boolean dense =
        spec.model().experts().map(experts -> index < experts.denseLayers()).orElse(true);
    return dense ? denseLayer : expertLayer;
  }

  int stages() {
    return spec.mesh().degree("pp");
  }

  /** The pipeline of the job; of one rank where it has none. */
  public Pipeline pipeline() {
    Training training = spec.training();
    return new Pipeline(
        training.schedule(), stages(), training.virtualStages(), training.microBatches());
  }

  int firstLayer(int position) {
    return StagePartition.firstLayer(spec.training().layersPerStage(), position);
  }

  /** Data types of the job. */
  public Precision precision() {
    return spec.training().precision();
  }

  /** Every pipeline stage, in order. */
  public List<StagePlan> stagePlans() {
    return IntStream.range(0, stages()).mapToObj(this::stagePlan).toList();
  }

  private StagePlan stagePlan(int stage) {
    return StagePlan.of(this, stage, tied(stage));
  }

  /** What adds up the gradients of a module with those of its copy on another stage, if any. */
  public List<Sync> copies(StagePlan stage, UnitPlan unit) {
    return stage
        .mirror()
        .map(pair -> Copies.of(unit, pair, zero(), precision().gradients()))
        .orElse(List.of());
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

  /** One class for each stage; its graph is built when asked for. */
  public List<RankClass> rankClasses() {
    return stagePlans().stream()
        .map(
            plan ->
                new RankClass(plan.stage(), ranks(plan.stage()), () -> StageGraph.of(this, plan)))
        .toList();
  }

  /** The ranks of a stage. */
  public RankSet ranks(int stage) {
    Mesh mesh = spec.mesh();
    return RankSet.of(
        IntStream.range(0, mesh.devices()).filter(rank -> mesh.coordinate(rank, "pp") == stage));
  }
}
