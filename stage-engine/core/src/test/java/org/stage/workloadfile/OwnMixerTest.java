package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.stage.analyze.Analysis;
import org.stage.api.graph.Module;
import org.stage.api.graph.Tensor;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.engine.Synthesis;
import org.stage.job.Block;
import org.stage.job.Job;
import org.stage.job.Model;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;

/**
 * A mixer that is nothing but a module file and a family that names it: it is built,
 * differentiated, placed, planned and emitted. Three layers, of which the middle one has attention;
 * width 8, 2 heads of width 4, feed-forward width 12, 16 words, 16 tokens.
 */
class OwnMixerTest {
  private static final String KEYS =
      "family: llama, layers: 3, hidden: 8, heads: 2, ffn: 12, vocab: 16";
  private static final String JOB =
      "{model: {%s}, mesh: {%s}, training: {global_batch: 1, seq: 16, vocab_multiple: 8}}";

  private static Model model() {
    SourceNode model = TreeReader.read("own.yaml", "model: {" + KEYS + "}");
    return new ModelReader(new Values((SourceNode.Fields) model), Family.of("alternating")).read();
  }

  /** A job whose model is another than its file says. */
  private static Synthesis synthesis(String mesh) {
    Job job = JobText.job(JOB.formatted(KEYS, mesh));
    return Synthesis.of(
        new Job(
            job.name(),
            model(),
            job.mesh(),
            job.strategy(),
            job.step(),
            job.platform(),
            job.origins()));
  }

  private static Analysis.OfClass rank(String mesh) {
    return synthesis(mesh).analysis().classes().get(0);
  }

  @Test
  void aFamilyNamesItsMixersRunByRun() {
    Model model = model();
    assertThat(model.runs()).extracting(Model.Run::count).containsExactly(1, 1, 1);
    assertThat(model.layers()).isEqualTo(3);
    assertThat(model.blocks())
        .extracting(Block::mixer)
        .containsExactly("linear_attention", "attention");
    assertThat(model.block(0)).isEqualTo(model.block(2)).isNotEqualTo(model.block(1));
  }

  @Test
  void eachDistinctBlockIsBuiltOnceAndItsPartsAreCalledAsTheirModule() {
    List<Module> layers =
        ModelGraph.of(model(), Set.of(ModelGraph.Option.FLASH_ATTENTION), ModuleLibrary.standard())
            .layers();
    assertThat(layers).hasSize(2);
    assertThat(layers.get(0).parameters())
        .extracting(Tensor::name)
        .contains("linear_attention.gate.weight", "mlp.up.weight")
        .doesNotContain("attention.query.weight");
    assertThat(layers.get(1).parameters())
        .extracting(Tensor::name)
        .contains("attention.key.weight");
  }

  /**
   * Matrices of the mixers have 8 x 8 elements, five in the outer layers and four in the middle;
   * feed-forward has three of 8 x 12, a layer two norms, the tables 16 x 8, the head a norm.
   */
  @Test
  void parametersAreThoseOfEachLayer() {
    long outer = 5 * 64 + 3 * 96 + 16;
    long middle = 4 * 64 + 3 * 96 + 16;
    long ends = 2 * 128 + 8;
    assertThat(synthesis("tp: 1").analysis().parameters()).isEqualTo(2 * outer + middle + ends);
    assertThat(rank("tp: 2").parameters())
        .isEqualTo((2 * (outer - 16) + middle - 16 + 256) / 2 + 3 * 16 + 8);
  }

  /**
   * Two FLOPs for each element of a matrix and each token; of a state of 4 x 4 for each of 2 heads
   * two for each element and token when it is summed up, and when it is read. Flash attention has
   * two products of 16 x 16 x 4 for each head, five in backward; others have two each.
   */
  @Test
  void flopsAreThoseOfEachLayer() {
    long outer = 2 * 16 * (5 * 64 + 3 * 96) + 2 * (2 * 16 * 2 * 16);
    long middle = 2 * 16 * (4 * 64 + 3 * 96);
    long core = 2 * 2 * 16 * 16 * 4;
    long head = 2 * 16 * 128;
    Map<Phase, Long> flops = rank("tp: 2").flops();
    assertThat(flops)
        .containsEntry(Phase.FORWARD, (2 * outer + middle + 2 * core + head) / 2)
        .containsEntry(Phase.BACKWARD, (2 * (2 * outer + middle + head) + 5 * core) / 2);
    assertThat(rank("tp: 1").flops()).containsEntry(Phase.FORWARD, 72_704L);
  }

  /** Each half of a layer adds up what its ranks hold of the stream, 16 x 8 elements. */
  @Test
  void itsCollectivesAreDerived() {
    ExecutionGraph graph = graph("tp: 2");
    assertThat(names(graph))
        .contains(
            "mb0.layers.0.linear_attention.state",
            "mb0.layers.1.attention.core",
            "mb0.layers.2.linear_attention.read")
        .doesNotContain("mb0.layers.1.linear_attention.state", "mb0.layers.0.attention.core");
    assertThat(graph.nodes())
        .filteredOn(node -> node.name().startsWith("mb0.layers.0.linear_attention."))
        .filteredOn(node -> node instanceof Node.Collective && node.phase() == Phase.FORWARD)
        .singleElement()
        .satisfies(node -> assertThat(((Node.Collective) node).elements()).isEqualTo(128));
  }

  /** Stage 0 has two layers, stage 1 the third. */
  @Test
  void stagesHaveTheLayersOfTheirRuns() {
    Synthesis synthesis = synthesis("pp: 2");
    List<ExecutionGraph> graphs =
        synthesis.workload().classes().stream().map(each -> each.graph()).toList();
    graphs.forEach(ExecutionGraph::verify);
    assertThat(names(graphs.get(0))).contains("mb0.layers.1.attention.core");
    assertThat(names(graphs.get(1)))
        .contains("mb0.layers.2.linear_attention.state")
        .noneMatch(name -> name.contains("layers.1."));
  }

  private static ExecutionGraph graph(String mesh) {
    ExecutionGraph graph = synthesis(mesh).workload().classes().get(0).graph();
    graph.verify();
    return graph;
  }

  private static List<String> names(ExecutionGraph graph) {
    return graph.nodes().stream().map(Node::name).toList();
  }
}
