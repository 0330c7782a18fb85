package org.stage.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operator;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankSet;
import org.stage.backward.Recomputation;
import org.stage.job.Block;
import org.stage.job.Job;
import org.stage.job.StateSharding;
import org.stage.job.StateSharding.Regather;
import org.stage.job.TensorParallelism.WeightGradients;
import org.stage.job.Training;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.operator.OperatorRules;
import org.stage.parallel.Numbers;
import org.stage.parallel.PlacedModel;
import org.stage.schedule.Pipeline;
import org.stage.state.ParameterUpdate;
import org.stage.state.Zero;

/**
 * A whole job with numbers: a module of each kind, however many layers, micro-batches and ranks
 * there are, and a {@link StepPlan} for each stage.
 *
 * @param job what was asked for
 * @param operators what is known of the operators that are done
 * @param embedding the first module
 * @param layers a decoder layer of each distinct block without experts
 * @param experts the decoder layers with experts
 * @param head the last module
 */
public record JobPlan(
    Job job,
    OperatorRules operators,
    UnitPlan embedding,
    Map<Block, UnitPlan> layers,
    ExpertPlans experts,
    UnitPlan head) {
  /** Copies the map. */
  public JobPlan {
    layers = Map.copyOf(layers);
  }

  /** Places and evaluates the modules of {@code model}, which are the library's, for the job. */
  public static JobPlan of(Job job, ModelGraph model, ModuleLibrary library) {
    return of(job, model, PlacedModel.of(job, model, library));
  }

  /** Evaluates the modules of {@code model} for the job; {@code placed} is how that places them. */
  public static JobPlan of(Job job, ModelGraph model, PlacedModel placed) {
    Training training = job.training();
    Stream<Operator> operators = model.layers().stream().flatMap(l -> l.operators().stream());
    training.checkpointing().modules().requireKnown(operators.map(Operator::name).toList());
    Numbers numbers = PlacedModel.numbers(job);
    Regather regather = training.sharding().parameters().regather();
    Map<Block, UnitPlan.How> how = new HashMap<>();
    model.blocks().forEach((block, module) -> how.put(block, layer(job, module)));
    BiFunction<Block, Numbers, UnitPlan> plan =
        (block, values) ->
            UnitPlan.of(placed.layer(block), values, Objects.requireNonNull(how.get(block)));
    Map<Block, UnitPlan> layers = new HashMap<>();
    model.blocks().keySet().stream()
        .filter(block -> !block.hasExperts())
        .forEach(block -> layers.put(block, plan.apply(block, numbers)));
    return new JobPlan(
        job,
        placed.operators(),
        UnitPlan.of(placed.embedding(), numbers, end(job, regather.embedding(), begun(job))),
        layers,
        new ExpertPlans(job, (block, rows) -> plan.apply(block, numbers.with(rows))),
        UnitPlan.of(placed.head(), numbers, end(job, regather.head(), Set.of())));
  }

  private static UnitPlan.How end(Job job, boolean regathered, Set<String> begun) {
    ParameterUpdate update = ParameterUpdate.of(job.training());
    return new UnitPlan.How(
        zero(job), update, Recomputation.NONE, regathered, false, weightGradients(job), begun);
  }

  private static WeightGradients weightGradients(Job job) {
    return job.strategy().tensor().weightGradients();
  }

  /** A tied table, whose gradient the head begins, where one device holds both ends. */
  private static Set<String> begun(Job job) {
    boolean both = job.model().tied() && job.mesh().degree("pp") == 1;
    return both ? Set.of(job.model().ends().table()) : Set.of();
  }

  private static UnitPlan.How layer(Job job, Module layer) {
    Training training = job.training();
    return new UnitPlan.How(
        zero(job),
        ParameterUpdate.of(training),
        recomputation(training, layer),
        training.sharding().parameters().regather().layers(),
        training.offload() == Training.Offload.ACTIVATIONS,
        weightGradients(job),
        Set.of());
  }

  private static Recomputation recomputation(Training training, Module layer) {
    return switch (training.checkpointing().recompute()) {
      case NONE -> Recomputation.NONE;
      case SELECTIVE -> Recomputation.selective(layer);
      case FULL -> Recomputation.full(layer);
      case MODULES -> Recomputation.of(layer, training.checkpointing().modules()::covers);
    };
  }

  private static Zero zero(Job job) {
    StateSharding sharding = job.training().sharding();
    Precision precision = job.training().numerics().precision();
    // A group of one shards nothing: gradients are all-reduced, as without ZeRO.
    boolean shards = sharding.group() > 1 || job.replicas() == 1;
    return new Zero(
        shards ? sharding.zero() : 0,
        sharding.group(),
        job.replicas(),
        sharding.gradients(),
        sharding.parameters(),
        precision);
  }

  Zero zero() {
    return zero(job);
  }

  /** What an expert-parallel coordinate runs as layer {@code index}. */
  UnitPlan layer(int index, int expertRank) {
    UnitPlan plan = layers.get(job.model().block(index));
    return plan == null ? experts.at(index, expertRank) : plan;
  }

  private boolean hasExperts(int layer) {
    return job.model().block(layer).hasExperts();
  }

  int stages() {
    return job.mesh().degree("pp");
  }

  /** The pipeline of the job; of one rank where it has none. */
  public Pipeline pipeline() {
    return job.pipeline();
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
    Program forward = layer(0, 0).forward();
    int output = forward.outputs().values().iterator().next();
    return forward.variables().get(output).elements();
  }
}
