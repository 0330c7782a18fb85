package org.stage.emit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.Ids;

class IdSetTest {
  @Test
  void idsComeOutAscendingAndEachOnce() {
    IdSet set = new IdSet();
    set.add(7);
    set.addAll(Ids.of(3, 7, 0));
    set.add(3);
    assertThat(set.sorted()).isEqualTo(Ids.of(0, 3, 7));
  }

  @Test
  void itGrowsBeyondItsFirstEight() {
    IdSet set = new IdSet();
    for (int id = 20; id > 0; id--) {
      set.add(id);
    }
    assertThat(set.sorted().stream()).hasSize(20).startsWith(1, 2).endsWith(19, 20);
  }

  @Test
  void anEmptyOneIsNone() {
    assertThat(new IdSet().sorted()).isEqualTo(Ids.NONE);
  }

  @Test
  void writersOfTensorsLeaveOutWhatIsThereFromTheStart() {
    TensorRef given = new TensorRef(0, Ids.NONE);
    TensorRef first = new TensorRef(2, Ids.of(9));
    TensorRef second = new TensorRef(1, Ids.of(4));
    List<TensorRef> tensors = List.of(first, given, second, first);
    assertThat(IdSet.writers(tensors)).isEqualTo(Ids.of(4, 9));
    assertThat(IdSet.of(tensors)).isEqualTo(Ids.of(0, 1, 2));
  }
}
