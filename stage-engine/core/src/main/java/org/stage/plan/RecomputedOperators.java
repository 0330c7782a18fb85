package org.stage.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.stage.state.Moment;

/**
 * The part of a forward program that runs again in backward.
 *
 * @param instructions in order; collectives included
 * @param replaced variables of the forward program that backward reads and that are not kept, as
 *     they are made again
 */
public record RecomputedOperators(List<Instruction> instructions, Set<Integer> replaced) {
  /** Nothing runs again. */
  static final RecomputedOperators NONE = new RecomputedOperators(List.of(), Set.of());

  /** Copies both. */
  public RecomputedOperators {
    instructions = List.copyOf(instructions);
    replaced = Set.copyOf(replaced);
  }

  /** Whether an instruction of the forward program runs again. */
  public boolean repeats(Instruction forward) {
    return forward.moment() == Moment.FORWARD
        && instructions.contains(forward.at(Moment.RECOMPUTATION));
  }

  /**
   * Its parts, each of instructions that hang together by what they make: a part runs when the
   * first of it is needed.
   *
   * @param forward the program whose part it is
   */
  List<List<Instruction>> parts(Program forward) {
    return parts(forward, instructions).stream()
        .map(part -> part.stream().map(instructions::get).toList())
        .toList();
  }

  /** Places of instructions, in order, that hang together by what they make. */
  static List<List<Integer>> parts(Program forward, List<Instruction> instructions) {
    Map<Integer, Integer> makers = new HashMap<>();
    List<Set<Integer>> partOf = new ArrayList<>();
    for (int i = 0; i < instructions.size(); i++) {
      Set<Integer> part = new TreeSet<>(Set.of(i));
      for (int variable : instructions.get(i).reads()) {
        Integer maker = makers.get(forward.root(variable));
        part.addAll(maker == null ? Set.of() : partOf.get(maker));
      }
      partOf.add(part);
      part.forEach(each -> partOf.set(each, part));
      for (int variable : instructions.get(i).writes()) {
        makers.put(variable, i);
      }
    }
    return partOf.stream().distinct().map(List::copyOf).toList();
  }
}
