package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PositionTest {
  private static final Position.Role ROLE = Position.Role.WEIGHT_GRADIENT;

  @ParameterizedTest
  @CsvSource({
    "mb3.layers.17.mlp.up, 3, layers.17, mlp.up, layers, mlp",
    "mb0.layers.1.x.2.grad.sum, 0, layers.1, x.2.grad.sum, layers, x",
    "mb12.embedding.lookup, 12, embedding, lookup, embedding, lookup",
    "mb0.head.norm.y.all-gather.backward, 0, head, norm.y.all-gather.backward, head, norm",
    "layers.1.grad.all-reduce.dp, -1, layers.1, grad.all-reduce.dp, layers, grad",
    "embedding.adam, -1, embedding, adam, embedding, adam",
    "norm, -1, norm, '', norm, ''",
    "mbx.y, -1, mbx, y, mbx, y",
    "17, -1, 17, '', '', ''",
    "'..', -1, '..', '', '..', ''"
  })
  void aNameIsMicroBatchUnitAndComponent(
      String name, int microBatch, String unit, String component, String kind, String module) {
    Position position = Position.ofName(name, ROLE);
    OptionalInt number = microBatch < 0 ? OptionalInt.empty() : OptionalInt.of(microBatch);
    assertThat(position).isEqualTo(new Position(number, unit, component, ROLE));
    assertThat(position.unitKind()).isEqualTo(kind);
    assertThat(position.module()).isEqualTo(module);
  }

  @Test
  void aNodeOfUnknownPositionIsWhereItsNameSays() {
    NodeHeader header =
        new NodeHeader(0, "mb1.head.logits", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE);
    Position there = new Position(OptionalInt.of(1), "head", "logits", Position.Role.UNKNOWN);
    assertThat(Position.of(new Node.MemoryLoad(header, 1))).isEqualTo(there);
    Position known = new Position(OptionalInt.empty(), "", "norm", Position.Role.GRADIENT_NORM);
    assertThat(Position.of(new Node.MemoryLoad(header.at(known), 1))).isEqualTo(known);
    assertThat(header.position().isKnown()).isFalse();
    assertThat(known.isKnown()).isTrue();
  }

  @Test
  void rolesHaveNames() {
    assertThat(Position.Role.WEIGHT_GRADIENT.text()).isEqualTo("weight-gradient");
  }
}
