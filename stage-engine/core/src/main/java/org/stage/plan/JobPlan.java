package org.stage.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operator;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankSet;
import org.stage.backward.Recomputation;
import org.stage.job.Batch;
import org.stage.job.Job;
import org.stage.job.StateSharding;
import org.stage.job.StateSharding.Regather;
import org.stage.job.TensorParallelism;
import org.stage.job.Training;
import org.stage.model.ModelGraph;
import org.stage.parallel.DeviceMesh;
import org.stage.parallel.PlacedUnit;
import org.stage.parallel.ShardingRules;
import org.stage.schedule.Pipeline;
import org.stage.state.ParameterUpdate;
import org.stage.state.Zero;

/**
 * A whole job with numbers: a module of each kind, however many layers, micro-batches and ranks
 * there are, and a {@link StepPlan} for each stage.
 *
 * @param job what was asked for
 * @param embedding the first module
 * @param denseLayer every decoder layer with a feed-forward network
 * @param experts the decoder layers with experts
 * @param head the last module
 */
public record JobPlan(
    Job job, UnitPlan embedding, UnitPlan denseLayer, ExpertPlans experts, UnitPlan head) {
  static final String EMBEDDING = "embedding";
  static final String HEAD = "head";

  /** Places and evaluates the modules of {@code model} for the job. */
  public static JobPlan of(Job job, ModelGraph model) {
    Training training = job.training();
    TensorParallelism tensor = job.strategy().tensor();
    DeviceMesh mesh = DeviceMesh.of(job);
    ShardingRules rules = ShardingRules.of(mesh, job.model().kvHeads(), job.strategy());
    Numbers numbers =
        new Numbers(bindings(job, mesh), training.numerics().precision(), tensor.singlePrecision());
    // With DualPipe both ends of the pipeline hold both ends of the model.
    boolean bothEnds = job.mesh().degree("pp") == 1 || Pipeline.of(job).hasCopies();
    boolean borrowsTable = job.model().tied() && bothEnds;
    Set<String> borrowed = borrowsTable ? Set.of(ModelGraph.TABLE) : Set.of();
    Function<Module, PlacedUnit> layer =
        module -> place(job, mesh, rules, module, recomputation(training, module), Set.of());
    requireKnown(job, model);
    PlacedUnit embedding = place(job, mesh, rules, model.embedding(), Recomputation.NONE, Set.of());
    PlacedUnit head = place(job, mesh, rules, model.head(), Recomputation.NONE, borrowed);
    PlacedUnit dense = layer.apply(model.denseLayer());
    PlacedUnit expert = job.model().experts().isEmpty() ? dense : layer.apply(model.expertLayer());
    Regather regather = training.sharding().regather();
    Evaluation evaluation = new Evaluation(job);
    return new JobPlan(
        job,
        evaluation.of(embedding, numbers, regather.embedding(), false),
        evaluation.of(dense, numbers, regather.layers(), true),
        new ExpertPlans(
            job, rows -> evaluation.of(expert, numbers.with(rows), regather.layers(), true)),
        evaluation.of(head, numbers, regather.head(), false));
  }

  /** Puts numbers into the modules of a job. */
  private record Evaluation(Job job) {
    UnitPlan of(PlacedUnit unit, Numbers numbers, boolean regathered, boolean isLayer) {
      Training training = job.training();
      ParameterUpdate update =
          new ParameterUpdate(
              training.optimizer().kind(), training.offload() == Training.Offload.OPTIMIZER);
      boolean offloads = isLayer && training.offload() == Training.Offload.ACTIVATIONS;
      UnitPlan.How how = new UnitPlan.How(unit.recomputation(), regathered, offloads);
      return UnitPlan.of(unit, numbers, zero(job), update, how);
    }
  }

  private static void requireKnown(Job job, ModelGraph model) {
    Stream<Operator> operators = model.layers().stream().flatMap(l -> l.operators().stream());
    job.training().checkpointing().modules().requireKnown(operators.map(Operator::name).toList());
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
      Job job,
      DeviceMesh mesh,
      ShardingRules rules,
      Module module,
      Recomputation recomputation,
      Set<String> borrowed) {
    boolean causal = job.training().kernels().causalFlops();
    boolean keeps = job.strategy().tensor().keepsGathered();
    return PlacedUnit.of(mesh, rules, module, causal, recomputation, borrowed, keeps);
  }

  private static Zero zero(Job job) {
    StateSharding sharding = job.training().sharding();
    Precision precision = job.training().numerics().precision();
    long bucket = sharding.bucketMb() * 1_000_000L / precision.gradients().bytes();
    return new Zero(sharding.zero(), sharding.group(), job.replicas(), bucket, precision);
  }

  Zero zero() {
    return zero(job);
  }

  private static Map<String, Long> bindings(Job job, DeviceMesh mesh) {
    Batch of = job.training().batch();
    Map<String, Long> bindings = new HashMap<>(job.model().sizes());
    bindings.putAll(mesh.degrees());
    long batch = (long) of.micro() * job.mesh().degree("dp") * job.mesh().degree("ep");
    bindings.put("batch", batch);
    bindings.put("seq", (long) of.seq());
    bindings.put("vocab", (long) job.strategy().tensor().paddedVocab());
    return bindings;
  }

  /** What an expert-parallel coordinate runs as layer {@code index}. */
  UnitPlan layer(int index, int expertRank) {
    return hasExperts(index) ? experts.at(index, expertRank) : denseLayer;
  }

  private boolean hasExperts(int layer) {
    return job.model().experts().filter(of -> layer >= of.denseLayers()).isPresent();
  }

  int stages() {
    return job.mesh().degree("pp");
  }

  /** The pipeline of the job; of one rank where it has none. */
  public Pipeline pipeline() {
    return Pipeline.of(job);
  }

  int firstLayer(int position) {
    return job.strategy().pipeline().firstLayer(position);
  }

  /** Data types of the job. */
  public Precision precision() {
    return job.training().numerics().precision();
  }

  /**
   * The step of every pipeline stage, in order; where experts are not equally loaded, once for each
   * of its expert-parallel coordinates that has rows of its own number.
   */
  public List<StepPlan> stepPlans() {
    List<StepPlan> plans = new ArrayList<>();
    RankSet[][] ranks = ranks();
    for (int stage = 0; stage < stages(); stage++) {
      List<Integer> layers = layers(stage).filter(this::hasExperts).boxed().toList();
      for (List<Integer> alike : experts.alike(layers, job.mesh().degree("ep"))) {
        RankSet[] of = ranks[stage];
        IntStream all = alike.stream().flatMapToInt(each -> of[each].stream()).sorted();
        plans.add(StepPlans.of(this, stage, alike.get(0), RankSet.of(all)));
      }
    }
    return List.copyOf(plans);
  }

  /** Indices of the layers of a stage, chunk by chunk. */
  private IntStream layers(int stage) {
    return IntStream.range(0, pipeline().chunks())
        .map(chunk -> pipeline().position(stage, chunk))
        .flatMap(position -> IntStream.range(firstLayer(position), firstLayer(position + 1)));
  }

  /** The ranks by stage and expert-parallel coordinate. */
  private RankSet[][] ranks() {
    Mesh mesh = job.mesh();
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

  /** Elements of the residual stream on one device: what passes between stages. */
  public long boundaryElements() {
    Program forward = denseLayer.forward();
    int output = forward.outputs().values().iterator().next();
    return forward.variables().get(output).elements();
  }
}
