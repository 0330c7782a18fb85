package org.stage.emit;

import java.util.Arrays;
import org.stage.api.workload.Ids;

/** Ids of nodes or tensors that are being collected. */
final class IdSet {
  private int[] ids = new int[8];
  private int size;

  /** Those of the nodes that wrote {@code tensors}. */
  static Ids writers(Iterable<TensorRef> tensors) {
    IdSet set = new IdSet();
    tensors.forEach(tensor -> set.addAll(tensor.writer()));
    return set.sorted();
  }

  /** Those of {@code tensors} themselves. */
  static Ids of(Iterable<TensorRef> tensors) {
    IdSet set = new IdSet();
    tensors.forEach(tensor -> set.add(tensor.id()));
    return set.sorted();
  }

  /** Those of {@code ids} that are not among {@code others}. */
  static Ids without(Ids ids, Ids others) {
    return Ids.of(ids.stream().filter(id -> others.stream().noneMatch(o -> o == id)).toArray());
  }

  void add(int id) {
    ids = size == ids.length ? Arrays.copyOf(ids, 2 * size) : ids;
    ids[size++] = id;
  }

  void addAll(Ids others) {
    for (int i = 0; i < others.size(); i++) {
      add(others.get(i));
    }
  }

  /** All of them, each once, ascending. */
  Ids sorted() {
    Arrays.sort(ids, 0, size);
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || ids[i] != ids[i - 1]) {
        ids[distinct++] = ids[i];
      }
    }
    return Ids.of(Arrays.copyOf(ids, distinct));
  }
}
