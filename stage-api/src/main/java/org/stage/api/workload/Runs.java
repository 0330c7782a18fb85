package org.stage.api.workload;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/** Blocks that stand in a row, joined to runs; and runs as flat lists again. */
final class Runs {
  /** The most blocks that repeat together: passes of all chunks of a deep pipeline. */
  private static final int LONGEST = 128;

  private Runs() {}

  /**
   * Finds the runs, from the front: where several blocks in a row are followed by two repetitions
   * at least, the fewest such blocks, as often as they are repeated.
   */
  static List<Run> find(List<Block> blocks) {
    int[] shapes = blocks.stream().mapToInt(Runs::shape).toArray();
    List<Run> runs = new ArrayList<>();
    int at = 0;
    while (at < blocks.size()) {
      int period = 1;
      int times = 1;
      for (int p = 1; p <= LONGEST && at + 3 * p <= blocks.size() && times == 1; p++) {
        times = times(blocks, shapes, at, p);
        period = p;
      }
      if (times == 1) {
        runs.add(Run.of(blocks.get(at)));
        at++;
      } else {
        Block first = join(blocks.subList(at, at + period));
        Block second = join(blocks.subList(at + period, at + 2 * period));
        runs.add(new Run(first, Optional.of(second), times));
        at += period * times;
      }
    }
    return List.copyOf(runs);
  }

  /** Equal for blocks that may be repetitions of one another. */
  private static int shape(Block block) {
    int shape = block.tensors().size();
    for (Node node : block.nodes()) {
      shape = 31 * shape + node.getClass().hashCode() + node.position().component().hashCode();
    }
    return shape;
  }

  /** How often the {@code period} blocks at {@code at} stand there; 1 if not three times. */
  private static int times(List<Block> blocks, int[] shapes, int at, int period) {
    for (int i = at; i < at + period; i++) {
      if (shapes[i] != shapes[i + period] || shapes[i] != shapes[i + 2 * period]) {
        return 1;
      }
    }
    int times = Integer.MAX_VALUE;
    for (int i = at; i < at + period && times > 2; i++) {
      times = Math.min(times, times(blocks, i, period));
    }
    return times < 3 ? 1 : times;
  }

  /** How often one block stands there, always {@code period} blocks on; 1 if only once. */
  private static int times(List<Block> blocks, int at, int period) {
    Block first = blocks.get(at);
    Block second = blocks.get(at + period);
    if (!Progression.isRepetition(first, second)) {
      return 1;
    }
    Run run = new Run(first, Optional.of(second), Integer.MAX_VALUE);
    int times = 2;
    while (at + times * period < blocks.size()
        && blocks.get(at + times * period).equals(run.block(times))) {
      times++;
    }
    return times;
  }

  private static Block join(List<Block> blocks) {
    return blocks.size() == 1
        ? blocks.get(0)
        : new Block(
            blocks.stream().flatMap(each -> each.nodes().stream()).toList(),
            blocks.stream().flatMap(each -> each.tensors().stream()).toList());
  }

  static List<Node> nodes(List<Run> runs) {
    return flat(runs, run -> run.first().nodes().size(), Run::node);
  }

  static List<TensorValue> tensors(List<Run> runs) {
    return flat(runs, run -> run.first().tensors().size(), Run::tensor);
  }

  private interface Size {
    int of(Run run);
  }

  private interface Part<T> {
    T of(Run run, int index, int at);
  }

  /** A view: each element is made when it is asked for. */
  private static <T> List<T> flat(List<Run> runs, Size size, Part<T> part) {
    int[] ends = new int[runs.size()];
    int end = 0;
    for (int i = 0; i < ends.length; i++) {
      end = Math.addExact(end, Math.multiplyExact(size.of(runs.get(i)), runs.get(i).times()));
      ends[i] = end;
    }
    IntFunction<T> get =
        index -> {
          int found = Arrays.binarySearch(ends, index);
          int at = found < 0 ? -found - 1 : found + 1;
          while (ends[at] == index) {
            at++;
          }
          int offset = index - (at == 0 ? 0 : ends[at - 1]);
          int length = size.of(runs.get(at));
          return part.of(runs.get(at), offset / length, offset % length);
        };
    return new View<>(end, get);
  }

  private static final class View<T> extends AbstractList<T> implements RandomAccess {
    private final int size;
    private final IntFunction<T> get;

    View(int size, IntFunction<T> get) {
      this.size = size;
      this.get = get;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public T get(int index) {
      return get.apply(Objects.checkIndex(index, size));
    }
  }
}
