package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.analyze.Memory;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Node;

/** What lies in host memory while it is not used. */
class OffloadTest {
  private static final String JOB =
      "{model: {family: llama, layers: 3, hidden: 64, heads: 8, kv_heads: 8, ffn: 160, vocab: 1024},"
          + " mesh: {dp: 2}, training: {global_batch: 4, seq: 32, offload: %s}}";
  private static final long LAYER = 4 * 64 * 64 + 3 * 64 * 160 + 2 * 64;

  /**
   * Of a token, in 16 bits: two inputs of norms, two outputs, q, k, v and o of 64, gate, up and
   * activation of 160; and a log-sum-exp of 4 bytes a head.
   */
  private static final long KEPT = 32 * (2 * (8 * 64 + 3 * 160) + 4 * 8);

  @Test
  void whatALayerKeepsGoesToHostMemoryAndComesBack() {
    ExecutionGraph graph = graph("activations");
    List<Node.MemoryStore> stores = nodes(graph, Node.MemoryStore.class);
    List<Node.MemoryLoad> loads = nodes(graph, Node.MemoryLoad.class);
    assertThat(stores).hasSize(2 * 3).allMatch(store -> store.bytes() == KEPT);
    assertThat(loads).hasSize(2 * 3).allMatch(load -> load.bytes() == KEPT);
    assertThat(stores.get(0).name()).isEqualTo("mb0.layers.0.offload");
    assertThat(loads)
        .extracting(Node::name)
        .startsWith("mb0.layers.2.reload", "mb0.layers.1.reload", "mb0.layers.0.reload");
  }

  @Test
  void aBackwardPassReadsWhatCameBack() {
    ExecutionGraph graph = graph("activations");
    Node reload = node(graph, "mb1.layers.1.reload");
    Node product = node(graph, "mb1.layers.1.mlp.down.wgrad");
    assertThat(product.dataDeps().stream()).contains(reload.id());
    assertThat(
            product.header().reads().stream()
                .filter(t -> reload.header().writes().stream().anyMatch(w -> w == t)))
        .isNotEmpty();
  }

  @Test
  void aLayerComesBackWhileTheOneBehindItComputes() {
    ExecutionGraph graph = graph("activations");
    Node reload = node(graph, "mb0.layers.1.reload");
    Node behind = node(graph, "mb0.layers.2.mlp.down.dgrad");
    assertThat(reload.id()).isLessThan(behind.id());
    assertThat(reload.dataDeps().stream())
        .containsExactly(node(graph, "mb0.layers.1.offload").id());
  }

  @Test
  void onlyTwoLayersAreOnTheDevice() {
    Memory all = memory("none");
    Memory away = memory("activations");
    // At the peak, the head's, all three layers are kept; or the one that is on its way.
    assertThat(all.activations() - away.activations()).isEqualTo(3 * KEPT);
    assertThat(away.optimizer()).isEqualTo(all.optimizer());
  }

  @Test
  void optimizerStatesComeForTheUpdateAndGo() {
    ExecutionGraph graph = graph("optimizer");
    List<Node.MemoryLoad> loads = nodes(graph, Node.MemoryLoad.class);
    // Embedding, three layers, head: master copy and two moments in single precision.
    assertThat(loads)
        .extracting(Node.MemoryLoad::bytes)
        .containsExactly(
            12L * 1024 * 64, 12 * LAYER, 12 * LAYER, 12 * LAYER, 12L * (1024 * 64 + 64));
    assertThat(nodes(graph, Node.MemoryStore.class)).hasSize(5);
    Node update = node(graph, "layers.0.adam");
    assertThat(update.dataDeps().stream()).contains(node(graph, "layers.0.adam.reload").id());
    assertThat(memory("optimizer").optimizer()).isEqualTo(12L * (2 * 1024 * 64 + 64));
  }

  private static Memory memory(String offload) {
    return Jobs.job(JOB.formatted(offload)).analysis().classes().get(0).memory();
  }

  private static ExecutionGraph graph(String offload) {
    return Jobs.job(JOB.formatted(offload)).workload().classes().get(0).graph();
  }

  private static <T extends Node> List<T> nodes(ExecutionGraph graph, Class<T> type) {
    return graph.nodes().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static Node node(ExecutionGraph graph, String name) {
    return graph.nodes().stream().filter(n -> n.name().equals(name)).findFirst().orElseThrow();
  }
}
