package org.stage.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.stage.api.workload.Node.Collective;
import org.stage.state.Moment;
import org.stage.state.Work;

/**
 * Puts the gradients of weights behind the collective that reduces the gradient of the input of the
 * same products, so that they are computed while it is on its way: Megatron-LM's and Transformer
 * Engine's order inside a linear layer.
 *
 * <p>From such a collective, the search goes back through sums to the products whose results it
 * reduces; what reads the same gradients of outputs as these is moved, with all that reads of it.
 * Where the input that it reads is gathered again, that goes on its way before the first of these
 * products. Nothing is moved over a collective that it does not belong to. Grouped products stay:
 * the rows of experts are exchanged by their dispatcher, after both gradients.
 */
final class WeightGradientOrder {
  private final List<Instruction> instructions;
  private final IntUnaryOperator root;
  private final Map<Integer, Integer> writers = new HashMap<>();

  /** By collective: what follows it. */
  private final Map<Integer, List<Integer>> behind = new HashMap<>();

  /** By product: the gathers that go before it. */
  private final Map<Integer, List<Integer>> before = new HashMap<>();

  private final BitSet moved = new BitSet();

  private WeightGradientOrder(List<Instruction> instructions, IntUnaryOperator root) {
    this.instructions = instructions;
    this.root = root;
    for (int i = 0; i < instructions.size(); i++) {
      for (int written : instructions.get(i).writes()) {
        writers.put(root.applyAsInt(written), i);
      }
    }
  }

  /**
   * The instructions of a backward pass in that order.
   *
   * @param root the variable whose memory another is
   */
  static List<Instruction> of(List<Instruction> instructions, IntUnaryOperator root) {
    return new WeightGradientOrder(instructions, root).ordered();
  }

  private List<Instruction> ordered() {
    for (int i = 0; i < instructions.size(); i++) {
      if (reducesInputGradient(instructions.get(i))) {
        move(i);
      }
    }
    List<Instruction> ordered = new ArrayList<>();
    for (int i = 0; i < instructions.size(); i++) {
      if (!moved.get(i)) {
        before.getOrDefault(i, List.of()).forEach(each -> ordered.add(instructions.get(each)));
        ordered.add(instructions.get(i));
        behind.getOrDefault(i, List.of()).forEach(each -> ordered.add(instructions.get(each)));
      }
    }
    return ordered;
  }

  private static boolean reducesInputGradient(Instruction instruction) {
    return instruction.moment() == Moment.INPUT_GRADIENTS
        && instruction.work() instanceof Work.Transfer transfer
        && (transfer.kind() == Collective.Kind.ALL_REDUCE
            || transfer.kind() == Collective.Kind.REDUCE_SCATTER);
  }

  private void move(int collective) {
    List<Integer> products = products(collective);
    Set<Integer> read = new HashSet<>();
    for (int product : products) {
      read.addAll(roots(instructions.get(product).reads()));
    }
    List<Integer> of = new ArrayList<>();
    for (int i = 0; i < collective; i++) {
      Instruction each = instructions.get(i);
      boolean ofWeights = each.moment() == Moment.WEIGHT_GRADIENTS && !moved.get(i);
      if (ofWeights && roots(each.reads()).stream().anyMatch(read::contains)) {
        read.addAll(roots(each.writes()));
        of.add(i);
        moved.set(i);
      }
    }
    behind.put(collective, of);
    if (!of.isEmpty()) {
      gatherBefore(Collections.min(products), of);
    }
  }

  /** Moves what is gathered for gradients of weights before a product, if it stands behind it. */
  private void gatherBefore(int product, List<Integer> ofWeights) {
    Set<Integer> read = new HashSet<>();
    ofWeights.forEach(each -> read.addAll(roots(instructions.get(each).reads())));
    for (int i = product + 1; i < instructions.size(); i++) {
      Instruction each = instructions.get(i);
      boolean gathers =
          each.moment() == Moment.WEIGHT_GRADIENTS
              && each.work() instanceof Work.Transfer transfer
              && transfer.kind() == Collective.Kind.ALL_GATHER;
      if (gathers
          && !moved.get(i)
          && roots(each.writes()).stream().anyMatch(read::contains)
          && roots(each.reads()).stream().allMatch(of -> writers.getOrDefault(of, -1) < product)) {
        moved.set(i);
        before.computeIfAbsent(product, none -> new ArrayList<>()).add(i);
      }
    }
  }

  /** The products whose results, added up, the collective reduces. */
  private List<Integer> products(int collective) {
    List<Integer> products = new ArrayList<>();
    Deque<Integer> back = new ArrayDeque<>(roots(instructions.get(collective).reads()));
    while (!back.isEmpty()) {
      Integer writer = writers.get(back.remove());
      if (writer != null && instructions.get(writer).work() instanceof Work.Kernel kernel) {
        if (kernel.flops() > 0 && kernel.shape().batch() == 1) {
          products.add(writer);
        } else if (isElementwise(kernel)) {
          back.addAll(roots(instructions.get(writer).reads()));
        }
      }
    }
    return products;
  }

  private static boolean isElementwise(Work.Kernel kernel) {
    return kernel.flops() == 0
        && kernel.outputs().size() == 1
        && kernel.inputs().size() > 1
        && kernel.inputs().stream().allMatch(kernel.outputs().get(0)::equals);
  }

  private Set<Integer> roots(List<Integer> variables) {
    Set<Integer> roots = new HashSet<>();
    variables.forEach(each -> roots.add(root.applyAsInt(each)));
    return roots;
  }
}
