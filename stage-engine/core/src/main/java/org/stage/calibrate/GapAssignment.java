package org.stage.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.calibrate.PassOrder.PassNode;
import org.stage.calibrate.RunOrder.Item;
import org.stage.operator.OperatorRule;
import org.stage.operator.OperatorRules;

/**
 * Which of the kernels that ran between two products belong to which of the nodes that the job has
 * there. Those go first whose names say so, then those in a module that does nothing else; the rest
 * belongs to the nodes that are not complete by that, in proportion to the bytes that they move,
 * and where there are none to the node before.
 */
final class GapAssignment {
  private static final int NOBODY = -1;

  /** Kinds of which there is no doubt what they are. */
  private static final Set<Kind> CERTAIN = Set.of(Kind.NORM, Kind.EMBEDDING);

  /** Work that may be a part of something else. */
  private static final Set<Kind> PARTS =
      Set.of(Kind.NORM, Kind.EMBEDDING, Kind.ELEMENTWISE, Kind.COPY, Kind.FILL);

  private final OperatorRules operators;
  private final List<PassNode> nodes;
  private final List<Item> items;
  private final int[] owner;
  private final Way[] ways;

  /** By what a run is known to belong to a node. */
  enum Way {
    /** Its name, or its size. */
    NAME,
    /** The module in which it was called. */
    MODULE,
    /** Where it stands between products. */
    PLACE,
    /** Not at all: it has its share of what is left. */
    SHARE
  }

  /**
   * A part of a run as a part of a node.
   *
   * @param node index among the nodes that were asked for
   * @param item index among the items
   * @param ns how much of it
   * @param way how that is known
   */
  record Piece(int node, int item, double ns, Way way) {}

  GapAssignment(OperatorRules operators, List<PassNode> nodes, List<Item> items) {
    this.operators = operators;
    this.nodes = nodes;
    this.items = items;
    this.owner = new int[items.size()];
    this.ways = new Way[items.size()];
    Arrays.fill(owner, NOBODY);
    byName();
    byModule();
  }

  private void own(int item, int node, Way way) {
    owner[item] = node;
    ways[item] = way;
  }

  private void byName() {
    int from = 0;
    for (int i = 0; i < items.size(); i++) {
      MeasuredOperator operator = items.get(i).operator();
      for (int n = from; n < nodes.size() && owner[i] == NOBODY; n++) {
        if (isSame(operator, nodes.get(n)) && !has(n)) {
          own(i, n, Way.NAME);
          from = n;
        }
      }
    }
    for (int i = 0; i < items.size(); i++) {
      for (int n = 0; n < nodes.size() && owner[i] == NOBODY; n++) {
        if (isPart(items.get(i).operator(), nodes.get(n))) {
          own(i, n, Way.NAME);
        }
      }
    }
  }

  private boolean has(int node) {
    return Arrays.stream(owner).anyMatch(each -> each == node);
  }

  /** Whether all of a node is known: by itself, or by its module, but not by a part of it. */
  private boolean isComplete(int node) {
    for (int i = 0; i < items.size(); i++) {
      boolean whole = ways[i] == Way.MODULE || isSame(items.get(i).operator(), nodes.get(node));
      if (owner[i] == node && whole) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is the whole node: of its kind, or of its name and its size. */
  private boolean isSame(MeasuredOperator operator, PassNode node) {
    ProfileWork work = node.work();
    if (operator.kind() != work.kind()) {
      return false;
    }
    return CERTAIN.contains(work.kind())
        || (operator.shape().elements() == work.size().elements()
            && named(operator.name(), rule(node).map(OperatorRule::words).orElse(List.of())));
  }

  private boolean isPart(MeasuredOperator operator, PassNode node) {
    return PARTS.contains(operator.kind())
        && named(operator.name(), rule(node).map(OperatorRule::parts).orElse(List.of()));
  }

  private Optional<OperatorRule> rule(PassNode node) {
    return operators.find(node.work().operator());
  }

  private static boolean named(String name, List<String> words) {
    String lower = name.toLowerCase(Locale.ROOT);
    return words.stream().anyMatch(lower::contains);
  }

  /** Where several nodes are of one sort of module, one call of it after the other. */
  private void byModule() {
    for (int i = 0; i < items.size(); i++) {
      String module = items.get(i).operator().module();
      String inner = module.substring(module.lastIndexOf('.') + 1);
      if (owner[i] != NOBODY || inner.isEmpty() || !PARTS.contains(items.get(i).kind())) {
        continue;
      }
      int same = sameModule(module, i);
      for (int n = 0; n < nodes.size() && owner[i] == NOBODY; n++) {
        boolean fits = isAlone(inner, nodes.get(n));
        if (same >= 0 ? n == same : fits && !isOther(n, module)) {
          own(i, n, Way.MODULE);
        }
      }
    }
  }

  /** Whether a module is the node's by its class, and by that not one of another operator's too. */
  private boolean isAlone(String module, PassNode node) {
    List<String> words = rule(node).map(OperatorRule::modules).orElse(List.of());
    return named(module, words)
        && operators.rules().values().stream()
            .filter(other -> named(module, other.modules()))
            .allMatch(other -> other.modules().stream().anyMatch(words::contains));
  }

  /** The node to which the same call of a module belongs already, if that stands for a module. */
  private int sameModule(String module, int before) {
    for (int i = 0; i < before; i++) {
      boolean known = owner[i] != NOBODY && ways[i] == Way.MODULE;
      if (known && items.get(i).operator().module().equals(module)) {
        return owner[i];
      }
    }
    return NOBODY;
  }

  /** Whether the node belongs to another call already. */
  private boolean isOther(int node, String module) {
    for (int i = 0; i < items.size(); i++) {
      if (owner[i] == node
          && ways[i] == Way.MODULE
          && !items.get(i).operator().module().equals(module)) {
        return true;
      }
    }
    return false;
  }

  /**
   * What is known by name or module. Where one of these is a part of an operator that frameworks do
   * in several kernels, those beside it are its other parts.
   *
   * @param alone whether the nodes stand elsewhere, so that nothing belongs to them by its place
   */
  List<Piece> known(boolean alone) {
    int part = NOBODY;
    for (int i = 0; i < items.size() && alone; i++) {
      boolean severalKernels =
          owner[i] != NOBODY && items.get(i).kind() != nodes.get(owner[i]).work().kind();
      part = severalKernels ? owner[i] : part;
    }
    for (int i = 0; i < items.size() && part != NOBODY; i++) {
      if (owner[i] == NOBODY && PARTS.contains(items.get(i).kind())) {
        own(i, part, Way.PLACE);
      }
    }
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      if (owner[i] != NOBODY) {
        pieces.add(new Piece(owner[i], i, items.get(i).ns(), ways[i]));
      }
    }
    return pieces;
  }

  /**
   * Everything that may belong to a node here.
   *
   * @param taken nodes that have something already, from elsewhere
   * @param otherwise whether what finds no open node belongs to the one before
   */
  List<Piece> all(Set<Integer> taken, boolean otherwise) {
    List<Piece> pieces = new ArrayList<>(known(false));
    List<Integer> open = new ArrayList<>();
    for (int n = 0; n < nodes.size(); n++) {
      if (!isComplete(n) && !taken.contains(n) && mayHaveParts(nodes.get(n))) {
        open.add(n);
      }
    }
    int before = NOBODY;
    for (int i = 0; i < items.size(); i++) {
      before = owner[i] != NOBODY ? owner[i] : before;
      if (owner[i] == NOBODY && PARTS.contains(items.get(i).kind())) {
        if (!open.isEmpty()) {
          pieces.addAll(shares(open, i, items.get(i).ns()));
        } else if (otherwise && !nodes.isEmpty()) {
          int node = before != NOBODY ? before : first();
          pieces.add(new Piece(node, i, items.get(i).ns(), Way.PLACE));
        }
      }
    }
    return pieces;
  }

  /** A look-up is one kernel; a bias is mostly in its product. */
  private static boolean mayHaveParts(PassNode node) {
    return node.work().kind() != Kind.EMBEDDING && !node.isBias();
  }

  private int first() {
    return Arrays.stream(owner).filter(each -> each != NOBODY).findFirst().orElse(0);
  }

  private List<Piece> shares(List<Integer> open, int item, double ns) {
    double all = open.stream().mapToDouble(n -> bytes(nodes.get(n))).sum();
    return open.stream()
        .map(n -> new Piece(n, item, ns * bytes(nodes.get(n)) / all, Way.PLACE))
        .toList();
  }

  private static double bytes(PassNode node) {
    return Math.max(1, (double) node.kernel().bytesRead() + node.kernel().bytesWritten());
  }
}
