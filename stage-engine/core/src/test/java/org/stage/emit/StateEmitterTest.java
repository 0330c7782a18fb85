package org.stage.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.emit.Toys.DP;
import static org.stage.emit.Toys.MIXED;
import static org.stage.emit.Toys.kernel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Details;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.TensorType;
import org.stage.job.Optimizer;
import org.stage.job.Shardings;
import org.stage.plan.UnitAction;
import org.stage.state.ModuleStates;
import org.stage.state.Moment;
import org.stage.state.ParameterUpdate;
import org.stage.state.Reduction;
import org.stage.state.StateAction;
import org.stage.state.Zero;

/**
 * A module with a weight of 10 elements and a bias of 3, of 2 bytes each; gradients have 4. Two
 * data-parallel ranks share its 13 elements out, in shards of 7.
 */
class StateEmitterTest {
  private static final String NAME = "layers.0";

  private final GraphWriter graph = new GraphWriter();

  @BeforeEach
  void begin() {
    graph.beginTurn();
  }

  private static ModuleStates states(int zero, long bucket, boolean offloaded) {
    return states(
        new Zero(zero, 2, 2, Shardings.atOnce(bucket), Shardings.GATHERED, MIXED), DP, offloaded);
  }

  private static ModuleStates states(Zero zero, Group holders, boolean offloaded) {
    Map<String, Long> parameters = new LinkedHashMap<>();
    parameters.put("w", 10L);
    parameters.put("b", 3L);
    Reduction all =
        new Reduction(
            Node.Collective.Kind.ALL_REDUCE, 13, DataType.FP32, holders, List.of("w", "b"));
    ParameterUpdate update = new ParameterUpdate(Optimizer.Kind.ADAM, offloaded);
    return ModuleStates.of(parameters, List.of(), List.of(all), zero, true, update);
  }

  private StateEmitter emitter(ModuleStates states) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    states
        .parameters()
        .forEach((each, size) -> types.put(each, TensorType.vector(size, MIXED.weights())));
    return new StateEmitter(NAME, states, types, MIXED, graph);
  }

  private static UnitAction at(StateAction action) {
    return new UnitAction(0, NAME, action);
  }

  /** Adds work that comes with a micro-batch. */
  private void add(StateEmitter to, int microBatch, List<StateAction> actions) {
    OptionalInt number = OptionalInt.of(microBatch);
    actions.forEach(each -> to.add(at(each), number, Details.NONE, Ids.NONE, Optional.empty()));
  }

  /** Adds work that comes once a step. */
  private void add(StateEmitter to, List<StateAction> actions) {
    actions.forEach(
        each -> to.add(at(each), OptionalInt.empty(), Details.NONE, Ids.NONE, Optional.empty()));
  }

  /** Adds a kernel that writes the next versions of both gradients. */
  private void gradients(StateEmitter of, String kernel) {
    TensorRef weight = of.parameter("w").accumulate(graph, TensorType.vector(10, DataType.FP32));
    TensorRef bias = of.parameter("b").accumulate(graph, TensorType.vector(3, DataType.FP32));
    Ids writes = Ids.of(weight.id(), bias.id());
    graph.add(
        Toys.header(graph, kernel, Moment.WEIGHT_GRADIENTS, graph.turnDeps(Ids.NONE), writes),
        Toys.KERNEL);
  }

  private Shown shown() {
    return Shown.of(graph);
  }

  @Test
  void parametersAreThereFromTheStart() {
    StateEmitter emitter = emitter(states(0, 0, false));
    assertThat(graph.finish().tensors())
        .hasToString(
            "[TensorValue[name=layers.0.w, type=10xbf16],"
                + " TensorValue[name=layers.0.b, type=3xbf16]]");
    assertThat(emitter.parameter("b").at()).isEqualTo(new TensorRef(1, Ids.NONE));
    assertThat(emitter.gradients()).isEmpty();
    assertThat(emitter.find("c")).isEmpty();
    assertThatThrownBy(() -> emitter.parameter("c"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("layers.0 has no parameter c");
  }

  @Test
  void aGatherMakesWholeParametersInABufferThatTheLastKernelFrees() {
    kernel(graph, "last");
    ModuleStates states = states(3, 0, false);
    StateEmitter emitter = emitter(states);
    add(emitter, 0, states.at(Moment.BEFORE_FORWARD));
    String gather = "mb0.layers.0.parameters.all-gather";
    assertThat(shown().tensors(gather))
        .isEqualTo("layers.0.w:20 layers.0.b:6 -> mb0.layers.0.parameters:26");
    assertThat(shown().waits(gather)).isEqualTo("data of nothing, behind last");
    Node.Collective node = (Node.Collective) shown().node(gather);
    assertThat(node.kind()).isEqualTo(Node.Collective.Kind.ALL_GATHER);
    assertThat(node.elements()).isEqualTo(7);
    assertThat(node.phase()).isEqualTo(Phase.FORWARD);
    // Kernels read it from there now.
    assertThat(emitter.parameter("w").at()).isEqualTo(new TensorRef(2, Ids.of(node.id())));
    assertThat(emitter.parameter("b").at()).isEqualTo(emitter.parameter("w").at());
  }

  @Test
  void forABackwardPassTheyAreGatheredIntoAnotherBuffer() {
    ModuleStates states = states(3, 0, false);
    StateEmitter emitter = emitter(states);
    add(emitter, 0, states.at(Moment.BEFORE_FORWARD));
    add(emitter, 0, states.at(Moment.BEFORE_BACKWARD));
    assertThat(shown().tensors("mb0.layers.0.parameters.all-gather.backward"))
        .endsWith(" -> mb0.layers.0.parameters.backward:26");
    assertThat(emitter.parameter("w").at().writer()).isEqualTo(Ids.of(1));
  }

  @Test
  void aReductionWritesTheNextVersionOfEachGradient() {
    ModuleStates states = states(0, 0, false);
    StateEmitter emitter = emitter(states);
    gradients(emitter, "wgrad");
    graph.beginTurn();
    add(emitter, states.at(Moment.AFTER_LAST_BACKWARD));
    String reduce = "layers.0.grad.all-reduce.dp";
    assertThat(shown().tensors(reduce))
        .isEqualTo(
            "layers.0.w.grad#1:40 layers.0.b.grad#1:12"
                + " -> layers.0.w.grad#2:40 layers.0.b.grad#2:12");
    // Not held by the schedule: a collective.
    assertThat(shown().waits(reduce)).isEqualTo("data of wgrad, behind nothing");
    assertThat(emitter.gradients())
        .containsExactly(new TensorRef(4, Ids.of(1)), new TensorRef(5, Ids.of(1)));
  }

  /** Buckets of 6 elements of the 14 that are padded: the weight has the first 10. */
  @Test
  void bucketsOfAScatterReadTheGradientsThatReachIntoThemAndFollowOneAnother() {
    ModuleStates states = states(1, 6, false);
    StateEmitter emitter = emitter(states);
    gradients(emitter, "wgrad");
    add(emitter, 1, states.at(Moment.AFTER_LAST_BACKWARD).subList(0, 1));
    add(emitter, 2, states.at(Moment.AFTER_LAST_BACKWARD).subList(1, 2));
    add(emitter, 3, states.at(Moment.AFTER_LAST_BACKWARD).subList(2, 3));
    String scatter = "grad.reduce-scatter.dp";
    String weight = "layers.0.w.grad#1:40";
    String bias = "layers.0.b.grad#1:12";
    assertThat(shown().tensors("mb1.layers.0." + scatter))
        .isEqualTo(weight + " -> layers.0.grad.shard#1:12");
    assertThat(shown().tensors("mb2.layers.0." + scatter))
        .isEqualTo(weight + " " + bias + " -> layers.0.grad.shard#2:12");
    assertThat(shown().tensors("mb3.layers.0." + scatter))
        .isEqualTo(bias + " -> layers.0.grad.shard#3:4");
    assertThat(shown().waits("mb1.layers.0." + scatter)).isEqualTo("data of wgrad, behind nothing");
    assertThat(shown().waits("mb2.layers.0." + scatter))
        .isEqualTo("data of wgrad mb1.layers.0.grad.reduce-scatter.dp, behind nothing");
    assertThat(shown().waits("mb3.layers.0." + scatter))
        .isEqualTo("data of wgrad mb2.layers.0.grad.reduce-scatter.dp, behind nothing");
    // The shard stands for whole gradients, which stay for what is added to them.
    assertThat(emitter.gradients()).containsExactly(new TensorRef(6, Ids.of(3)));
    assertThat(emitter.parameter("w").isInShard()).isTrue();
    assertThat(emitter.parameter("w").gradient()).isPresent();
  }

  @Test
  void whatIsScatteredInEachMicroBatchIsAddedToTheShardBefore() {
    ModuleStates states = states(2, 0, false);
    List<StateAction> scatter = states.at(Moment.AFTER_BACKWARD);
    StateEmitter emitter = emitter(states);
    gradients(emitter, "wgrad0");
    add(emitter, 0, scatter);
    assertThat(shown().tensors("mb0.layers.0.grad.reduce-scatter.dp"))
        .isEqualTo("layers.0.w.grad#1:40 layers.0.b.grad#1:12 -> layers.0.grad.shard#1:28");
    assertThat(emitter.parameter("w").gradient()).isEmpty();
    graph.beginTurn();
    gradients(emitter, "wgrad1");
    add(emitter, 1, scatter);
    add(emitter, 1, states.at(Moment.AFTER_LATER_BACKWARD));
    assertThat(shown().tensors("mb1.layers.0.grad.reduce-scatter.dp"))
        .isEqualTo("layers.0.w.grad#2:40 layers.0.b.grad#2:12 -> layers.0.grad.shard#2:28");
    // Its shard is one of its own, for which nothing before matters.
    assertThat(shown().waits("mb1.layers.0.grad.reduce-scatter.dp"))
        .isEqualTo("data of wgrad1, behind nothing");
    String add = "mb1.layers.0.grad.reduce-scatter.dp.accumulate";
    assertThat(shown().tensors(add))
        .isEqualTo("layers.0.grad.shard#1:28 layers.0.grad.shard#2:28 -> layers.0.grad.shard#3:28");
    assertThat(shown().waits(add))
        .isEqualTo(
            "data of mb0.layers.0.grad.reduce-scatter.dp mb1.layers.0.grad.reduce-scatter.dp, behind nothing");
    Node.Compute kernel = (Node.Compute) shown().node(add);
    assertThat(kernel.otherFlops()).isEqualTo(7);
    assertThat(kernel.bytesRead()).isEqualTo(2 * 28);
    assertThat(kernel.bytesWritten()).isEqualTo(28);
    assertThat(emitter.gradients()).containsExactly(new TensorRef(8, Ids.of(4)));
  }

  @Test
  void aShardWithoutAnotherHasNothingToAdd() {
    ModuleStates states = states(2, 0, false);
    StateEmitter emitter = emitter(states);
    gradients(emitter, "wgrad");
    add(emitter, states.at(Moment.AFTER_BACKWARD));
    assertThatThrownBy(() -> add(emitter, states.at(Moment.AFTER_LATER_BACKWARD)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("layers.0.grad.reduce-scatter.dp.accumulate has nothing to add");
  }

  /**
   * Four data-parallel ranks, of which neighbours share out: the two copies of a shard are summed.
   */
  @Test
  void inHybridShardingShardsAreReducedWhereTheyLie() {
    Group all = new Group.Along(List.of(new SubAxis("dp", 1, 4)));
    ModuleStates states =
        states(new Zero(2, 2, 4, Shardings.atOnce(0), Shardings.GATHERED, MIXED), all, false);
    StateEmitter emitter = emitter(states);
    gradients(emitter, "wgrad");
    add(emitter, states.at(Moment.AFTER_BACKWARD));
    add(emitter, states.at(Moment.AFTER_LAST_BACKWARD));
    String reduce = "layers.0.grad.all-reduce.dp";
    assertThat(shown().tensors(reduce))
        .isEqualTo("layers.0.grad.shard#1:28 -> layers.0.grad.shard#2:28");
    assertThat(shown().waits(reduce))
        .isEqualTo("data of layers.0.grad.reduce-scatter.dp, behind nothing");
    assertThat(((Node.Collective) shown().node(reduce)).group())
        .isEqualTo(new Group.Along(List.of(new SubAxis("dp", 1, 2))));
    assertThat(emitter.gradients()).containsExactly(new TensorRef(5, Ids.of(2)));
  }

  /** Adam keeps 12 bytes an element, and writes 14. */
  @Test
  void anUpdateReadsGradientsStatesAndParametersAndWritesInOneKernel() {
    ModuleStates states = states(0, 0, false);
    StateEmitter emitter = emitter(states);
    gradients(emitter, "wgrad");
    graph.beginTurn();
    add(emitter, states.at(Moment.UPDATE));
    assertThat(shown().tensors("layers.0.adam"))
        .isEqualTo(
            "layers.0.w:20 layers.0.b:6 layers.0.w.grad#1:40 layers.0.b.grad#1:12"
                + " layers.0.adam.states:156 -> layers.0.adam.updated:182");
    assertThat(shown().waits("layers.0.adam")).isEqualTo("data of wgrad, behind wgrad");
    assertThat(shown().node("layers.0.adam").phase()).isEqualTo(Phase.OPTIMIZER);
  }

  @Test
  void anUpdateThatClipsWaitsForTheNorm() {
    ModuleStates states = states(0, 0, false);
    StateEmitter emitter = emitter(states);
    gradients(emitter, "wgrad");
    TensorRef norm = graph.written("norm", new TensorType(List.of(), DataType.FP32));
    kernel(graph, "norm", 0);
    StateAction update = states.at(Moment.UPDATE).get(0);
    emitter.add(at(update), OptionalInt.empty(), Details.NONE, Ids.NONE, Optional.of(norm));
    assertThat(shown().tensors("layers.0.adam")).contains(" norm:4 ");
    assertThat(shown().waits("layers.0.adam")).isEqualTo("data of wgrad norm, behind nothing");
  }

  @Test
  void optimizerStatesComeFromHostMemoryAndGoBackThere() {
    ModuleStates states = states(0, 0, true);
    StateEmitter emitter = emitter(states);
    gradients(emitter, "wgrad");
    add(emitter, states.at(Moment.UPDATE));
    assertThat(shown().names())
        .containsExactly("wgrad", "layers.0.adam.reload", "layers.0.adam", "layers.0.adam.offload");
    assertThat(shown().tensors("layers.0.adam.reload"))
        .isEqualTo("nothing -> layers.0.adam.states:156");
    // Once the last kernel has freed the place.
    assertThat(shown().waits("layers.0.adam.reload")).isEqualTo("data of nothing, behind wgrad");
    assertThat(shown().waits("layers.0.adam"))
        .isEqualTo("data of wgrad layers.0.adam.reload, behind nothing");
    assertThat(shown().tensors("layers.0.adam.offload"))
        .isEqualTo("layers.0.adam.updated:182 -> nothing");
    assertThat(shown().waits("layers.0.adam.offload"))
        .isEqualTo("data of layers.0.adam, behind nothing");
    assertThat(shown().node("layers.0.adam.reload")).isInstanceOf(Node.MemoryLoad.class);
    assertThat(((Node.MemoryStore) shown().node("layers.0.adam.offload")).bytes()).isEqualTo(156);
  }

  @Test
  void whatAnUpdateChangedIsGatheredWhereParametersAreWholeBetweenSteps() {
    ModuleStates states = states(1, 0, false);
    StateEmitter emitter = emitter(states);
    gradients(emitter, "wgrad");
    add(emitter, states.at(Moment.AFTER_LAST_BACKWARD));
    add(emitter, states.at(Moment.UPDATE));
    add(emitter, states.at(Moment.AFTER_UPDATE));
    // Of the shard's 7 elements, 14 bytes each.
    assertThat(shown().tensors("layers.0.adam")).endsWith(" -> layers.0.adam.updated:98");
    assertThat(shown().tensors("layers.0.parameters.all-gather"))
        .isEqualTo("layers.0.adam.updated:98 -> layers.0.parameters:26");
    assertThat(shown().waits("layers.0.parameters.all-gather"))
        .isEqualTo("data of layers.0.adam, behind nothing");
  }

  @Test
  void aBorrowedParameterIsThatOfItsOwnerWhoseGradientItIsAddedTo() {
    StateEmitter owner = emitter(states(0, 0, false));
    ModuleStates none =
        ModuleStates.of(
            Map.of(),
            List.of(),
            List.of(),
            new Zero(0, 2, 2, Shardings.atOnce(0), Shardings.GATHERED, MIXED),
            true,
            new ParameterUpdate(Optimizer.Kind.ADAM, false));
    StateEmitter head = new StateEmitter("head", none, Map.of(), MIXED, graph);
    head.borrow("w", owner.parameter("w"));
    head.parameter("w").accumulate(graph, TensorType.vector(10, DataType.FP32));
    assertThat(graph.finish().tensors().get(2).name()).isEqualTo("layers.0.w.grad#1");
    assertThat(owner.parameter("w").gradient()).isPresent();
    assertThat(owner.gradients()).hasSize(1);
    // It is no parameter of the head, which does not update it.
    assertThat(head.gradients()).isEmpty();
  }

  @Test
  void theNormIsNoWorkOnOneModule() {
    StateAction norm =
        new StateAction(
            StateAction.Kind.NORM_SUM,
            "grad_norm.sum",
            Moment.NORM,
            Toys.KERNEL,
            Optional.empty(),
            List.of());
    StateEmitter emitter = emitter(states(0, 0, false));
    assertThatThrownBy(
            () ->
                emitter.add(
                    at(norm), OptionalInt.empty(), Details.NONE, Ids.NONE, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("layers.0.grad_norm.sum is no work on one module's states");
  }
}
