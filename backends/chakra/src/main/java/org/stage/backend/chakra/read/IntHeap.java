package org.stage.backend.chakra.read;

/**
 * A binary heap of integers, the lowest on top; a queue of boxed ones takes eight times as much.
 */
final class IntHeap {
  private final int[] heap;
  private int size;

  IntHeap(int capacity) {
    heap = new int[capacity];
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(int value) {
    int at = size++;
    while (at > 0 && heap[(at - 1) / 2] > value) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = value;
  }

  /** Takes the lowest; there must be one. */
  int poll() {
    int lowest = heap[0];
    int value = heap[--size];
    int at = 0;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= value) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = value;
    return lowest;
  }
}
