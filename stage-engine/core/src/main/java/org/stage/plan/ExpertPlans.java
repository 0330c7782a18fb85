package org.stage.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.stage.job.Block;
import org.stage.job.ExpertRows;
import org.stage.job.Job;
import org.stage.job.Model;
import org.stage.module.SizeSymbols;

/**
 * The layers with experts of a job: one plan for each block and number of rows that a rank can
 * have.
 *
 * <p>All members of an exchange of rows take part with the same number of elements, as collectives
 * have it: one that starts from the experts' side counts on each rank the rows of the fullest, for
 * which all wait.
 */
public final class ExpertPlans {
  private final Model model;
  private final List<ExpertRows> layers;
  private final BiFunction<Block, Map<String, Long>, UnitPlan> plan;
  private final long sources;
  private final Map<Work, UnitPlan> plans = new ConcurrentHashMap<>();

  /**
   * What plans differ in.
   *
   * @param sent rows that a rank dispatches
   * @param held rows that it receives from its group along {@code ep}
   * @param most those of the fullest rank of that group
   */
  private record Rows(long sent, long held, long most) {}

  private record Work(Block block, Rows rows) {}

  /**
   * The plans of a job; a model without experts has none.
   *
   * @param plan a layer of a block, given values of the symbols that only it has
   */
  ExpertPlans(Job spec, BiFunction<Block, Map<String, Long>, UnitPlan> plan) {
    this.model = spec.model();
    this.layers = ExpertRows.of(spec);
    this.plan = plan;
    this.sources = (long) spec.mesh().devices() / spec.mesh().degree("pp") / copies(spec);
  }

  /** Where tokens are not parts of sequences, all tensor-parallel ranks dispatch the same. */
  private static int copies(Job spec) {
    return spec.strategy().dispatchesParts() ? 1 : spec.mesh().degree("tp");
  }

  /** What an expert-parallel coordinate runs as layer {@code index}, which has experts. */
  UnitPlan at(int index, int coordinate) {
    return plans.computeIfAbsent(
        new Work(model.block(index), rows(index, coordinate)),
        work -> plan.apply(work.block(), symbols(work.rows())));
  }

  private Map<String, Long> symbols(Rows rows) {
    return Map.of(
        SizeSymbols.EXPERT_ROWS,
        Math.multiplyExact(rows.sent(), sources),
        SizeSymbols.HELD_ROWS,
        Math.multiplyExact(rows.held(), sources),
        SizeSymbols.MOST_ROWS,
        Math.multiplyExact(rows.most(), sources));
  }

  private Rows rows(int index, int coordinate) {
    ExpertRows of = layers.get(index);
    return new Rows(of.sent(), of.received().get(coordinate), of.most());
  }

  /**
   * Expert-parallel coordinates by what they run: those with the same rows in all of some layers
   * stand together.
   *
   * @param some layers with experts
   * @param degree how many coordinates there are
   */
  List<List<Integer>> alike(List<Integer> some, int degree) {
    Map<List<Rows>, List<Integer>> alike = new LinkedHashMap<>();
    for (int coordinate = 0; coordinate < degree; coordinate++) {
      List<Rows> rows = new ArrayList<>();
      for (int layer : some) {
        rows.add(rows(layer, coordinate));
      }
      alike.computeIfAbsent(rows, same -> new ArrayList<>()).add(coordinate);
    }
    return List.copyOf(alike.values());
  }
}
