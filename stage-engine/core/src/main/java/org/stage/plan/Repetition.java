package org.stage.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.stage.api.symbol.Rational;
import org.stage.api.workload.Node.Collective;
import org.stage.backward.Recomputation;
import org.stage.parallel.PlacedModule;
import org.stage.state.Moment;
import org.stage.state.Work;

/**
 * Chooses what of a forward program runs again.
 *
 * <p>Wanted are the kernels of the operators asked for. From the last instruction to the first it
 * is found out what they need: what a wanted kernel or a backward pass reads is made again where
 * wanted kernels make it, else read where it is kept; and a collective on what is kept, such as the
 * gathering of a shard, runs again in place of keeping what it makes, which is larger. What is
 * found nowhere has to be kept for the repetition alone.
 *
 * <p>Kernels that hang together by what they make run again together. Those that would keep as much
 * as they free, or free nothing, do not run again: no repetition ever keeps more than none.
 *
 * <p>All ranks of a group must choose alike, so sizes are those of evenly loaded experts.
 */
final class Repetition {
  private final Program forward;
  private final Set<String> tensors;
  private final Set<Integer> read;
  private final IntFunction<Rational> bytes;
  private final Set<Integer> wanted = new HashSet<>();

  /** Instructions that run again, by index; found anew for each set of wanted kernels. */
  private final Set<Integer> again = new HashSet<>();

  private final Set<Integer> made = new HashSet<>();
  private final Set<Integer> freed = new HashSet<>();
  private final Set<Integer> needed = new HashSet<>();

  private Repetition(
      Program forward,
      PlacedModule placed,
      Recomputation recomputation,
      Set<Integer> read,
      IntFunction<Rational> bytes) {
    this.forward = forward;
    this.tensors = recomputation.tensors();
    this.read = read;
    this.bytes = bytes;
    for (int i = 0; i < placed.steps().size(); i++) {
      if (recomputation.operators().contains(placed.steps().get(i).origin())) {
        wanted.add(i);
      }
    }
  }

  /**
   * The repetition of a forward program.
   *
   * @param read variables of it that its backward pass reads, parameters aside
   * @param bytes of each variable, the same on all ranks
   */
  static RecomputedOperators of(
      Program forward,
      PlacedModule placed,
      Recomputation recomputation,
      Set<Integer> read,
      IntFunction<Rational> bytes) {
    return new Repetition(forward, placed, recomputation, read, bytes).choose();
  }

  private RecomputedOperators choose() {
    find();
    while (wanted.removeAll(inVain())) {
      find();
    }
    List<Instruction> instructions =
        again.stream()
            .sorted()
            .map(i -> forward.instructions().get(i).at(Moment.RECOMPUTATION))
            .toList();
    return new RecomputedOperators(instructions, freed);
  }

  private void find() {
    again.clear();
    made.clear();
    freed.clear();
    needed.clear();
    List<Instruction> instructions = forward.instructions();
    for (int i = 0; i < instructions.size(); i++) {
      Instruction each = instructions.get(i);
      if (wanted.contains(i) || (isTransfer(each) && made.contains(source(each)))) {
        made.addAll(each.writes());
      }
    }
    made.stream()
        .filter(v -> read.contains(v) && tensors.contains(forward.variables().get(v).tensor()))
        .forEach(freed::add);
    needed.addAll(freed);
    for (int i = instructions.size() - 1; i >= 0; i--) {
      Instruction each = instructions.get(i);
      if (wanted.contains(i) || (isTransfer(each) && runsAgain(each))) {
        again.add(i);
        each.reads().forEach(variable -> needed.add(forward.root(variable)));
      }
    }
  }

  /** Whether a collective runs again, given what those behind it need. */
  private boolean runsAgain(Instruction transfer) {
    int source = source(transfer);
    int result = transfer.writes().get(0);
    if (made.contains(source) && completesSum(transfer)) {
      return true;
    }
    if (!needed.contains(result) || isKept(result)) {
      return false;
    }
    return made.contains(source)
        || isKept(source)
        || bytes.apply(source).compareTo(bytes.apply(result)) < 0;
  }

  /** Indices of wanted kernels that are better left. */
  private Set<Integer> inVain() {
    List<Integer> order = again.stream().sorted().toList();
    List<Instruction> repeated = order.stream().map(forward.instructions()::get).toList();
    Set<Integer> written = new HashSet<>();
    repeated.forEach(each -> written.addAll(each.writes()));
    Set<Integer> vain = new HashSet<>();
    Set<Integer> useful = new HashSet<>(freed);
    for (int at = order.size() - 1; at >= 0; at--) {
      Instruction each = repeated.get(at);
      if (each.writes().stream().anyMatch(useful::contains)) {
        each.reads().forEach(variable -> useful.add(forward.root(variable)));
      } else if (!keptFor(each, written).isEmpty()) {
        vain.add(order.get(at));
      }
    }
    for (List<Integer> part : RecomputedOperators.parts(forward, repeated)) {
      if (vain.isEmpty() && !frees(part.stream().map(repeated::get).toList(), written)) {
        part.forEach(at -> vain.add(order.get(at)));
      }
    }
    return vain;
  }

  /** Whether a part frees more than is kept for it alone. */
  private boolean frees(List<Instruction> part, Set<Integer> written) {
    Set<Integer> kept = new HashSet<>();
    Set<Integer> free = new HashSet<>();
    for (Instruction each : part) {
      kept.addAll(keptFor(each, written));
      each.writes().stream().filter(freed::contains).forEach(free::add);
    }
    return !free.isEmpty() && (kept.isEmpty() || sum(free).compareTo(sum(kept)) > 0);
  }

  /** What an instruction reads that would not be kept if it did not run again. */
  private Set<Integer> keptFor(Instruction each, Set<Integer> written) {
    Set<Integer> kept = new HashSet<>();
    for (int variable : each.reads()) {
      int root = forward.root(variable);
      if (!written.contains(root) && !isKept(root) && !forward.variables().get(root).isGiven()) {
        kept.add(root);
      }
    }
    return kept;
  }

  private Rational sum(Set<Integer> variables) {
    return variables.stream().map(bytes::apply).reduce(Rational.ZERO, Rational::plus);
  }

  /** Whether it is kept although something runs again. */
  private boolean isKept(int variable) {
    return read.contains(variable) && !freed.contains(variable);
  }

  private int source(Instruction transfer) {
    return forward.root(transfer.reads().get(0));
  }

  private static boolean isTransfer(Instruction each) {
    return each.work() instanceof Work.Transfer;
  }

  /** A reduction belongs to the kernel before, whose partial sums it completes. */
  private static boolean completesSum(Instruction each) {
    return each.work() instanceof Work.Transfer move
        && (move.kind() == Collective.Kind.ALL_REDUCE
            || move.kind() == Collective.Kind.REDUCE_SCATTER);
  }
}
