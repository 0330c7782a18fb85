package org.stage.backend.simai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.stage.backend.simai.format.Comm;
import org.stage.backend.simai.format.Pass;
import org.stage.backend.simai.format.Row;

/** The rows of one module in one micro-batch. */
final class UnitRows {
  private final Blocks blocks;
  private final List<Work> forward = new ArrayList<>();
  private final List<Work> backward = new ArrayList<>();
  private final List<Row> shared = new ArrayList<>();

  /** A node's share; for one that communicates, the times are 0. */
  private record Work(String component, double own, double weight, Comm comm) {}

  /** What a block does each way. */
  private record Lanes(Lane forward, Lane backward) {
    Lanes() {
      this(new Lane(), new Lane());
    }
  }

  /** What stands in one row: the forward pass, and the gradients. */
  private record Both(Lane.Cell there, Lane.Cell back) {
    /**
     * The same in rows that SimAI books rightly. It adds the times of a row's forward and
     * input-gradient entries to the experts or to tensor parallelism by the word of the forward
     * entry alone, so entries of different groups stand apart, and where nothing is sent forward
     * the entry names the experts with a size of 0.
     */
    List<Both> booked() {
      Comm forward = there.main().comm();
      Comm gradient = back.main().comm();
      boolean differ = isOfExperts(forward) != isOfExperts(gradient);
      if (!differ || gradient.isNone()) {
        return List.of(this);
      }
      if (!forward.isNone()) {
        return Stream.of(new Both(there, Lane.Cell.NONE), new Both(Lane.Cell.NONE, back))
            .flatMap(each -> each.booked().stream())
            .toList();
      }
      Pass named = new Pass(there.main().nanoseconds(), Comm.OF_EXPERTS);
      return List.of(new Both(new Lane.Cell(named, there.weight()), back));
    }

    private static boolean isOfExperts(Comm comm) {
      return comm.scope() == Comm.Scope.EXPERT;
    }

    Row row(String name) {
      return new Row(name, there.main(), back.main(), back.weight());
    }
  }

  UnitRows(String unit) {
    this.blocks = new Blocks(unit);
  }

  /** Learns of a kernel of the forward pass. */
  void learn(String component, String operator) {
    blocks.learn(component, operator);
  }

  void compute(String component, boolean isForward, boolean isWeight, double nanoseconds) {
    (isForward ? forward : backward)
        .add(
            new Work(component, isWeight ? 0 : nanoseconds, isWeight ? nanoseconds : 0, Comm.NONE));
  }

  void communicate(String component, boolean isForward, Comm comm) {
    (isForward ? forward : backward).add(new Work(component, 0, 0, comm));
  }

  /** Adds a row for what the data-parallel group sends for this module. */
  void share(Row row) {
    shared.add(row);
  }

  /** The rows in forward order. */
  List<Row> rows(Columns columns) {
    Map<String, Lanes> lanes = new LinkedHashMap<>();
    fill(lanes, forward, true);
    fill(lanes, backward, false);
    List<Row> rows = new ArrayList<>(shared);
    lanes.forEach((block, both) -> addRows(rows, block, both, columns));
    return rows;
  }

  /** A tensor between two blocks goes to the one that comes next, at the end to the one before. */
  private void fill(Map<String, Lanes> lanes, List<Work> works, boolean isForward) {
    String[] names = new String[works.size()];
    String next = "";
    for (int i = works.size() - 1; i >= 0; i--) {
      next = blocks.of(works.get(i).component).orElse(next);
      names[i] = next;
    }
    String last = "layer";
    for (int i = 0; i < names.length; i++) {
      last = names[i].isEmpty() ? last : names[i];
      Lanes both = lanes.computeIfAbsent(last, block -> new Lanes());
      Lane lane = isForward ? both.forward : both.backward;
      Work work = works.get(i);
      lane.compute(work.own, work.weight);
      if (!work.comm.isNone()) {
        lane.communicate(work.comm);
      }
    }
  }

  private static void addRows(List<Row> rows, String block, Lanes lanes, Columns columns) {
    List<Lane.Cell> there =
        lanes.forward.cells(columns.forward(), columns.weightGrad(), columns.losses());
    List<Lane.Cell> back =
        lanes.backward.cells(columns.inputGrad(), columns.weightGrad(), columns.losses());
    int count = Math.max(there.size(), back.size());
    Lane.Cell[] upper = placed(there, count);
    Lane.Cell[] lower = placed(back, count);
    List<Both> pairs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // SimAI goes through the rows from the last to the first in backward.
      pairs.addAll(new Both(upper[i], lower[count - 1 - i]).booked());
    }
    for (int i = 0; i < pairs.size(); i++) {
      rows.add(pairs.get(i).row(Blocks.rowName(block, i, pairs.size())));
    }
  }

  /** The first cells come first, but the last one last. */
  private static Lane.Cell[] placed(List<Lane.Cell> cells, int count) {
    Lane.Cell[] placed = new Lane.Cell[count];
    for (int i = 0; i < count; i++) {
      placed[i] = i < cells.size() ? cells.get(i) : Lane.Cell.NONE;
    }
    if (cells.size() > 1 && cells.size() < count) {
      placed[count - 1] = placed[cells.size() - 1];
      placed[cells.size() - 1] = Lane.Cell.NONE;
    }
    return placed;
  }
}
