package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.graph.Module;
import org.stage.api.graph.Operator;
import org.stage.api.workload.Group;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.job.Strategies;
import org.stage.module.Modules;
import org.stage.testkit.text.GraphTextParser;

class PlacerTest {
  private static final String LLAMA = "rms_norm swiglu rotary flash_attention sequential_block";
  private static final String GPT =
      "layer_norm_with_bias norm_bias bias qkv_bias gelu learned_positions flash_attention"
          + " sequential_block";
  private static final String PALM = "rms_norm swiglu rotary flash_attention parallel_block";
  private static final String A = "batch*embed*seq/dp";
  private static final String SHARD = "batch*embed*seq/dp/tp";

  /** The mesh on which the test places modules. */
  private DeviceMesh mesh = DeviceMesh.of(new Mesh(List.of(new MeshAxis("tp", 2))), 1);

  private static final Module LINEAR =
      GraphTextParser.parse(
          """
          module linear
          axis batch, norm_seq = seq, seq, embed, mlp
          input x[batch, norm_seq, embed]
          parameter up.weight[embed, mlp]:weight
          parameter down.weight[mlp, embed]:weight
          up: h[batch, seq, mlp] = einsum(x[batch, seq, embed], up.weight[embed, mlp])
          down: y[batch, seq, embed] = einsum(h[batch, seq, mlp], down.weight[mlp, embed])
          output y
          """);

  private PlacedUnit place(Module module, int tp, int kvHeads, boolean sequenceParallel) {
    return place(module, tp, kvHeads, sequenceParallel, true);
  }

  private PlacedUnit place(
      Module module, int tp, int kvHeads, boolean sequenceParallel, boolean scattered) {
    Mesh axes = new Mesh(List.of(new MeshAxis("tp", tp), new MeshAxis("dp", 2)));
    mesh = DeviceMesh.of(axes, kvHeads);
    ShardingRules rules =
        Standard.rules(mesh, kvHeads, Strategies.of(mesh.mesh(), sequenceParallel, scattered));
    return PlacedUnit.of(Standard.placing(mesh, rules), module, Set.of(), false);
  }

  private static Module library(String name, String features) {
    return Modules.of(name, Set.of(features.split(" ")));
  }

  /** Collectives in order: kind, axes, tensor, elements of this rank's input. */
  private List<String> transfers(PlacedModule module) {
    return module.steps().stream()
        .filter(Step.Transfer.class::isInstance)
        .map(Step.Transfer.class::cast)
        .map(
            step ->
                "%s %s %s %s"
                    .formatted(
                        step.kind().text(),
                        new Group.Along(mesh.join(step.axes())).axisNames(),
                        step.input().tensor(),
                        step.input().elements()))
        .toList();
  }

  private long count(PlacedUnit unit, String kind) {
    return Stream.concat(transfers(unit.forward()).stream(), transfers(unit.backward()).stream())
        .filter(transfer -> transfer.startsWith(kind + " "))
        .count();
  }

  private List<String> syncs(PlacedUnit unit) {
    return unit.syncs().stream()
        .map(
            sync ->
                "%s %s %s %s"
                    .formatted(
                        sync.kind().text(),
                        mesh.join(sync.axes()),
                        sync.elements(),
                        sync.parameters()))
        .toList();
  }

  @Test
  void columnThenRowParallelLinearsReduceTheOutputAndTheGradientOfTheInput() {
    PlacedUnit unit = place(LINEAR, 4, 4, false);
    assertThat(transfers(unit.forward())).containsExactly("all-reduce tp y " + A);
    assertThat(transfers(unit.backward())).containsExactly("all-reduce tp x.grad " + A);
  }

  @Test
  void withSequenceParallelismTheyGatherAndScatter() {
    PlacedUnit unit = place(LINEAR, 4, 4, true);
    assertThat(transfers(unit.forward()))
        .containsExactly("all-gather tp x " + SHARD, "reduce-scatter tp y " + A);
    assertThat(transfers(unit.backward()))
        .containsExactly(
            "all-gather tp y.grad " + SHARD,
            "all-gather tp x " + SHARD,
            "reduce-scatter tp x.grad " + A);
  }

  @Test
  void whatIsSavedForBackwardIsTheShardedForm() {
    PlacedUnit unit = place(LINEAR, 4, 4, true);
    Value saved = unit.forward().kept().get("x");
    assertThat(saved.layout().shards()).containsExactly(List.of(1), List.of(0), List.of());
    assertThat(unit.backward().values())
        .filteredOn(value -> value.source() instanceof Value.Source.Saved)
        .extracting(Value::tensor, value -> value.elements().toString())
        .containsExactlyInAnyOrder(tuple("x", SHARD), tuple("h", "batch*mlp*seq/dp/tp"));
  }

  @Test
  void weightsAndTheirGradientsAreSharded() {
    PlacedUnit unit = place(LINEAR, 4, 4, true);
    assertThat(unit.parameters().toString())
        .isEqualTo("{up.weight=embed*mlp/tp, down.weight=embed*mlp/tp}");
    assertThat(syncs(unit))
        .containsExactly(
            "all-reduce [SubAxis[axis=dp, pre=1, size=2]] 2*embed*mlp/tp [up.weight, down.weight]");
  }

  @Test
  void threeConsumersShareOneGatherAndOneScatterOfTheirGradients() {
    Module shared =
        GraphTextParser.parse(
            """
            module shared
            axis batch, norm_seq = seq, seq, embed, mlp
            input x[batch, norm_seq, embed]
            parameter q.weight[embed, mlp]:weight
            parameter k.weight[embed, mlp]:weight
            parameter v.weight[embed, mlp]:weight
            parameter o.weight[mlp, embed]:weight
            q: q[batch, seq, mlp] = einsum(x[batch, seq, embed], q.weight[embed, mlp])
            k: k[batch, seq, mlp] = einsum(x[batch, seq, embed], k.weight[embed, mlp])
            v: v[batch, seq, mlp] = einsum(x[batch, seq, embed], v.weight[embed, mlp])
            sum: s[batch, seq, mlp] = add(q[batch, seq, mlp], k[batch, seq, mlp], v[batch, seq, mlp])
            o: y[batch, seq, embed] = einsum(s[batch, seq, mlp], o.weight[mlp, embed])
            output y
            """);
    PlacedUnit unit = place(shared, 4, 4, true);
    assertThat(transfers(unit.forward()))
        .containsExactly("all-gather tp x " + SHARD, "reduce-scatter tp y " + A);
    assertThat(transfers(unit.backward()))
        .containsExactly(
            "all-gather tp y.grad " + SHARD,
            "all-gather tp x " + SHARD,
            "reduce-scatter tp x.grad " + A);
  }

  @Test
  void partialAddendsAreAddedBeforeTheyAreReducedWithTheRest() {
    Module mixed =
        GraphTextParser.parse(
            """
            module mixed
            axis batch, norm_seq = seq, seq, embed, mlp
            input x[batch, norm_seq, embed]
            parameter a.weight[embed, mlp]:weight
            parameter b.weight[mlp, embed]:weight
            parameter c.weight[mlp, embed]:weight
            a: h[batch, seq, mlp] = einsum(x[batch, seq, embed], a.weight[embed, mlp])
            b: b[batch, seq, embed] = einsum(h[batch, seq, mlp], b.weight[mlp, embed])
            c: c[batch, seq, embed] = einsum(h[batch, seq, mlp], c.weight[mlp, embed])
            sum: y[batch, norm_seq, embed] = add(b[batch, norm_seq, embed], x[batch, norm_seq, embed], c[batch, norm_seq, embed])
            output y
            """);
    PlacedUnit unit = place(mixed, 4, 4, true);
    assertThat(transfers(unit.forward()))
        .containsExactly("all-gather tp x " + SHARD, "reduce-scatter tp y.partial " + A);
  }

  @Test
  void aDecoderLayerCommunicatesAsMegatronDoes() {
    for (String family : List.of(LLAMA, GPT)) {
      PlacedUnit sharded = place(library("decoder_layer", family), 4, 4, true);
      assertThat(count(sharded, "all-gather")).isEqualTo(6);
      assertThat(count(sharded, "reduce-scatter")).isEqualTo(4);
      assertThat(count(sharded, "all-reduce")).isZero();
      PlacedUnit whole = place(library("decoder_layer", family), 4, 4, false);
      assertThat(transfers(whole.forward())).hasSize(2).allMatch(t -> t.startsWith("all-reduce"));
      assertThat(transfers(whole.backward())).hasSize(2).allMatch(t -> t.startsWith("all-reduce"));
    }
  }

  @Test
  void aParallelBlockNeedsHalfOfTheForwardCollectives() {
    PlacedUnit unit = place(library("decoder_layer", PALM), 4, 1, true);
    assertThat(transfers(unit.forward()))
        .containsExactly("all-gather tp attention_norm.y " + SHARD, "reduce-scatter tp m " + A);
    assertThat(count(unit, "all-gather")).isEqualTo(3);
    assertThat(count(unit, "reduce-scatter")).isEqualTo(2);
  }

  @Test
  void gradientsOfReplicatedKeyValueHeadsAreReducedOverTheirReplicas() {
    PlacedUnit unit = place(library("attention", LLAMA), 16, 8, false);
    assertThat(syncs(unit).get(0))
        .isEqualTo(
            "all-reduce [SubAxis[axis=tp, pre=8, size=2]] 2*embed*head_dim*kv_heads/tp_outer"
                + " [key.weight, value.weight]");
    assertThat(unit.parameters().get("query.weight"))
        .hasToString("embed*head_dim*heads/tp_inner/tp_outer");
  }

  @Test
  void oneKeyValueHeadIsReducedOverAllOfTensorParallelism() {
    PlacedUnit unit = place(library("attention", LLAMA), 16, 1, false);
    assertThat(syncs(unit).get(0))
        .isEqualTo(
            "all-reduce [SubAxis[axis=tp, pre=1, size=16]] 2*embed*head_dim*kv_heads"
                + " [key.weight, value.weight]");
  }

  @Test
  void shardedTokensMakeGradientsOfReplicatedParametersPartial() {
    PlacedUnit unit = place(library("norm", GPT), 4, 4, true);
    assertThat(syncs(unit))
        .containsExactly(
            "all-reduce [SubAxis[axis=tp, pre=1, size=4]] 2*embed [weight, bias]",
            "all-reduce [SubAxis[axis=dp, pre=1, size=2]] 2*embed [weight, bias]");
    assertThat(syncs(place(library("norm", GPT), 4, 4, false))).hasSize(1);
  }

  /** Sums along tp stay until they are added, unless cp inside it is to cut the rows before. */
  @ParameterizedTest
  @CsvSource({"tp+cp, 'reduce-scatter cp+tp y'", "tp, 'reduce-scatter tp a, reduce-scatter tp b'"})
  void anOuterAxisIsReducedBeforeAnInnerOneCuts(String contracted, String expected) {
    Module sum =
        GraphTextParser.parse(
            """
            module sum
            axis batch, norm_seq = seq, seq, embed, mlp
            input x[batch, norm_seq, embed]
            parameter v[mlp]:weight
            parameter w[mlp]:weight
            a: a[batch, seq, embed] = einsum(x[batch, seq, embed], v[mlp])
            b: b[batch, seq, embed] = einsum(x[batch, seq, embed], w[mlp])
            sum: y[batch, norm_seq, embed] = add(a[batch, norm_seq, embed], b[batch, norm_seq, embed])
            output y
            """);
    mesh = DeviceMesh.of(new Mesh(List.of(new MeshAxis("tp", 2), new MeshAxis("cp", 2))), 4);
    List<Integer> axes = contracted.equals("tp") ? List.of(0) : List.of(0, 1);
    ShardingRules rules = Standard.rules(Map.of("mlp", axes, "norm_seq", List.of(0, 1)));
    PlacedModule forward =
        Placer.forward(
            Standard.placing(mesh, rules),
            sum,
            Standard.layout(rules, List.of("batch", "norm_seq", "embed")));
    assertThat(transfers(forward))
        .filteredOn(transfer -> transfer.startsWith("reduce-scatter"))
        .extracting(transfer -> transfer.substring(0, transfer.lastIndexOf(' ')))
        .containsExactly(expected.split(", "));
  }

  @Test
  void activationsComeFromTheNeighbourIndicesAndParametersAreThere() {
    PlacedUnit head = place(library("head", LLAMA), 4, 4, true);
    assertThat(source(head.forward(), "x")).isEqualTo(new Value.Source.Neighbour());
    assertThat(source(head.forward(), "labels")).isEqualTo(new Value.Source.Given());
    assertThat(source(head.forward(), "weight")).isEqualTo(new Value.Source.Given());
    PlacedUnit embedding = place(library("embedding", LLAMA), 4, 4, true);
    assertThat(source(embedding.backward(), "y.grad")).isEqualTo(new Value.Source.Neighbour());
    assertThat(source(embedding.backward(), "tokens")).isInstanceOf(Value.Source.Saved.class);
  }

  private static Value.Source source(PlacedModule module, String tensor) {
    return module.values().stream()
        .filter(value -> value.name().equals(tensor))
        .findFirst()
        .orElseThrow()
        .source();
  }

  /** The mesh has tp before cp; sequences are cut by cp first; groups say dp, cp and ep first. */
  @Test
  void groupsAreWrittenAlikeWhateverTheOrderOfMeshAndRules() {
    List<MeshAxis> axes =
        Stream.of("tp", "cp", "ep", "dp").map(name -> new MeshAxis(name, 2)).toList();
    mesh = DeviceMesh.of(new Mesh(axes), 4);
    ShardingRules usual = Standard.rules(mesh, 4, Strategies.of(mesh.mesh(), true, true));
    assertThat(usual.of("norm_seq")).containsExactly(1, 0);
    assertThat(usual.of("batch")).containsExactly(3, 2);
    Module norm = library("norm", LLAMA);
    PlacedUnit unit = PlacedUnit.of(Standard.placing(mesh, usual), norm, Set.of(), false);
    assertThat(unit.syncs())
        .extracting(sync -> mesh.mesh().text(new Group.Along(mesh.join(sync.axes()))))
        .containsExactly("tp", "dp+cp+ep");
    for (List<Integer> sequence : List.of(List.of(1, 0), List.of(0, 1))) {
      ShardingRules rules = Standard.rules(Map.of("norm_seq", sequence, "mlp", List.of(3)));
      PlacedModule forward =
          Placer.forward(
              Standard.placing(mesh, rules),
              LINEAR,
              Standard.layout(rules, List.of("batch", "norm_seq", "embed")));
      assertThat(transfers(forward))
          .containsExactly(
              "all-gather cp+tp x batch*embed*seq/cp/tp", "all-reduce dp y batch*embed*seq/cp/tp");
    }
  }

  @Test
  void theEmbeddingSumsIntoShardsOrIntoWholes() {
    Module embedding = library("embedding", LLAMA);
    assertThat(transfers(place(embedding, 4, 4, true, true).forward()))
        .containsExactly("reduce-scatter tp e " + A);
    assertThat(transfers(place(embedding, 4, 4, true, false).forward()))
        .containsExactly("all-reduce tp e " + A);
    assertThat(transfers(place(embedding, 4, 4, false, false).forward()))
        .containsExactly("all-reduce tp e " + A);
    assertThat(transfers(place(embedding, 4, 4, true, true).backward()))
        .containsExactly("all-gather tp y.grad " + SHARD);
  }

  @Test
  void crossEntropyOverVocabularyShardsReducesThreeNumbersPerToken() {
    PlacedUnit unit = place(library("head", LLAMA), 4, 4, true);
    assertThat(transfers(unit.forward()))
        .containsExactly(
            "all-gather tp norm.y " + SHARD,
            "all-reduce tp max batch*seq/dp",
            "all-reduce tp sum batch*seq/dp",
            "all-reduce tp target batch*seq/dp");
    assertThat(transfers(unit.backward()))
        .containsExactly("all-gather tp norm.y " + SHARD, "reduce-scatter tp norm.y.grad " + A);
  }

  @Test
  void aBorrowedParameterIsNeitherOwnedNorReduced() {
    Mesh axes = new Mesh(List.of(new MeshAxis("dp", 2)));
    mesh = DeviceMesh.of(axes, 4);
    ShardingRules rules = Standard.rules(mesh, 4, Strategies.of(mesh.mesh(), false, false));
    PlacedUnit unit =
        PlacedUnit.of(
            Standard.placing(mesh, rules), library("head", LLAMA), Set.of("weight"), false);
    assertThat(unit.parameters()).containsOnlyKeys("norm.weight");
    assertThat(syncs(unit))
        .containsExactly("all-reduce [SubAxis[axis=dp, pre=1, size=2]] embed [norm.weight]");
  }

  @Test
  void oneMeshAxisCannotSplitAnOperandTwice() {
    Module outer =
        GraphTextParser.parse(
            """
            module outer
            axis batch, norm_seq = seq, seq, embed, mlp, heads
            input x[batch, norm_seq, embed]
            parameter a[mlp]:weight
            parameter b[heads]:weight
            outer: y[mlp, heads] = einsum(a[mlp], b[heads])
            output y
            """);
    assertThatThrownBy(() -> place(outer, 4, 4, false))
        .hasMessage("mesh axis tp shards two axes of y[mlp, heads]");
  }

  @ParameterizedTest
  @CsvSource({"norm, embed", "attention, head_dim", "attention, kv_seq"})
  void whatNeedsWholeRowsCannotBeSplitAlongThem(String module, String axis) {
    mesh = DeviceMesh.of(new Mesh(List.of(new MeshAxis("tp", 4))), 4);
    ShardingRules rules = Standard.rules(Map.of(axis, List.of(0)));
    Module forward = library(module, LLAMA);
    assertThatThrownBy(() -> PlacedUnit.of(Standard.placing(mesh, rules), forward, Set.of(), false))
        .hasMessageStartingWith("mesh axis tp shards " + axis + " of ");
  }

  @Test
  void onOneDeviceThereIsNoCommunication() {
    Mesh axes = new Mesh(List.of(new MeshAxis("tp", 1)));
    mesh = DeviceMesh.of(axes, 4);
    ShardingRules rules = Standard.rules(mesh, 4, Strategies.of(mesh.mesh(), true, true));
    Module layer = library("decoder_layer", LLAMA);
    PlacedUnit unit = PlacedUnit.of(Standard.placing(mesh, rules), layer, Set.of(), false);
    assertThat(unit.syncs()).isEmpty();
    assertThat(unit.forward().steps())
        .allSatisfy(step -> assertThat(step).isInstanceOf(Step.Kernel.class));
    assertThat(unit.forward().steps()).hasSameSizeAs(layer.operators());
    assertThat(layer.operators()).extracting(Operator::name).contains("attention.core");
  }
}
