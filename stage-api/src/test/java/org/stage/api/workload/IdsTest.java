package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IdsTest {
  @Test
  void idsStayInTheirOrder() {
    Ids ids = Ids.of(7, 3, 7);
    assertThat(ids.size()).isEqualTo(3);
    assertThat(ids.get(1)).isEqualTo(3);
    assertThat(ids.stream()).containsExactly(7, 3, 7);
    assertThat(ids).hasToString("[7, 3, 7]");
  }

  @Test
  void sortedIdsAscendAndAreDistinct() {
    assertThat(Ids.sorted(IntStream.of(7, 3, 7, 1)).stream()).containsExactly(1, 3, 7);
    assertThat(Ids.sorted(IntStream.empty())).isSameAs(Ids.NONE);
  }

  @Test
  void laterChangesOfTheArrayDoNotReachTheIds() {
    int[] array = {1, 2};
    Ids ids = Ids.of(array);
    array[0] = 9;
    assertThat(ids).isEqualTo(Ids.of(1, 2));
  }

  @Test
  void equalityIsThatOfTheLists() {
    assertThat(Ids.of(1, 2)).isEqualTo(Ids.of(1, 2)).hasSameHashCodeAs(Ids.of(1, 2));
    assertThat(Ids.of(1, 2)).isNotEqualTo(Ids.of(2, 1));
    assertThat(Ids.of()).isSameAs(Ids.NONE);
  }

  @Test
  void anIndexBeyondTheEndIsRefused() {
    assertThatThrownBy(() -> Ids.of(1).get(1)).isInstanceOf(ArrayIndexOutOfBoundsException.class);
  }
}
