package org.stage.backend.simai;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeNameTest {
  @ParameterizedTest
  @CsvSource({
    "mb3.layers.17.mlp.up, 3, layers.17, mlp",
    "mb0.layers.1.x.2.grad.sum, 0, layers.1, x",
    "mb12.embedding.lookup, 12, embedding, lookup",
    "mb0.head.norm.y.all-gather.backward, 0, head, norm",
    "layers.1.grad.all-reduce.dp, -1, layers.1, grad",
    "embedding.adam, -1, embedding, adam",
    "tied.all-reduce, -1, tied, all-reduce",
    "norm, -1, norm, ''",
    "mbx.y, -1, mbx, y",
    "'..', -1, '..', ''"
  })
  void aNameIsMicroBatchModuleAndComponent(
      String name, int microBatch, String unit, String component) {
    assertThat(NodeName.of(name)).isEqualTo(new NodeName(microBatch, unit, component));
  }
}
