package org.stage.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.sim.cost.Costs;
import org.stage.sim.cost.NetworkModel;

/**
 * Parts the ranks of a job into sets that behave alike, so that one rank of each need be simulated.
 *
 * <p>Two ranks do if they share a graph and if, in each relation, their partners are as far away
 * and of the same sets. Starting from the classes, sets are split until that holds, as states of an
 * automaton are (Hopcroft's problem, solved in Moore's way: few rounds are needed here). Ranks of
 * one set then have equal times by induction over the nodes in order of time. On a mesh that lies
 * evenly on the network, the sets are the classes.
 */
public final class Partition {
  private final Workload workload;
  private final List<CondensedGraph> graphs;
  private final NetworkModel network;

  /** The class of each rank. */
  private final int[] classOf;

  /** The set of each rank, numbered by lowest rank. */
  private int[] setOf;

  private int sets;

  private Partition(Workload workload, List<CondensedGraph> graphs, NetworkModel network) {
    this.workload = workload;
    this.graphs = graphs;
    this.network = network;
    this.classOf = new int[workload.mesh().devices()];
    for (int i = 0; i < graphs.size(); i++) {
      int number = i;
      workload.classes().get(i).ranks().stream().forEach(rank -> classOf[rank] = number);
    }
    this.setOf = classOf;
  }

  /**
   * The sets, by lowest rank.
   *
   * @param graphs those of the workload's classes
   */
  public static List<AlikeRanks> of(Workload workload, List<CondensedGraph> graphs, Costs costs) {
    Partition partition = new Partition(workload, graphs, costs.network());
    partition.refine();
    return partition.sets();
  }

  private void refine() {
    int before;
    do {
      before = sets;
      split();
    } while (sets > before);
  }

  private void split() {
    List<List<Integer>> signatures = new ArrayList<>();
    for (int set : setOf) {
      signatures.add(new ArrayList<>(List.of(set)));
    }
    Map<Object, Places> places = new HashMap<>();
    for (int i = 0; i < graphs.size(); i++) {
      RankClass each = workload.classes().get(i);
      CondensedGraph graph = graphs.get(i);
      for (Relation relation : graph.relations()) {
        // jobs may say the same of different meshes
        Places there =
            places.computeIfAbsent(
                List.of(graph.mesh(), relation), key -> new Places(graph, relation));
        each.ranks().stream().forEach(rank -> signatures.get(rank).add(there.number(rank)));
      }
    }
    Map<List<Integer>, Integer> numbers = new HashMap<>();
    setOf = signatures.stream().mapToInt(each -> number(numbers, each)).toArray();
    sets = numbers.size();
  }

  private static <K> int number(Map<K, Integer> numbers, K key) {
    Integer known = numbers.putIfAbsent(key, numbers.size());
    return known == null ? numbers.size() - 1 : known;
  }

  private List<AlikeRanks> sets() {
    int[][] ranks = new int[sets][];
    int[] sizes = new int[sets];
    Arrays.stream(setOf).forEach(set -> sizes[set]++);
    Arrays.setAll(ranks, set -> new int[sizes[set]]);
    Arrays.fill(sizes, 0);
    IntStream.range(0, setOf.length)
        .forEach(rank -> ranks[setOf[rank]][sizes[setOf[rank]]++] = rank);
    return Arrays.stream(ranks).map(each -> set(each, classOf[each[0]])).toList();
  }

  private AlikeRanks set(int[] ranks, int rankClass) {
    CondensedGraph graph = graphs.get(rankClass);
    List<Place> places =
        graph.relations().stream()
            .map(relation -> place(ranks[0], graph.partners(relation, ranks[0])))
            .toList();
    int stage = workload.classes().get(rankClass).stage();
    return new AlikeRanks(rankClass, stage, graph.mesh(), RankSet.of(Arrays.stream(ranks)), places);
  }

  private Place place(int rank, List<Integer> partners) {
    TreeSet<Integer> among = new TreeSet<>();
    partners.forEach(partner -> among.add(setOf[partner]));
    boolean one = partners.size() == 1;
    List<Integer> ranks = one ? ends(rank, partners.get(0)) : partners;
    return new Place(network.spread(ranks), List.copyOf(among));
  }

  /** The two ends of a message, ascending; of a group of one the rank itself. */
  private static List<Integer> ends(int rank, int other) {
    return rank == other ? List.of(rank) : List.of(Math.min(rank, other), Math.max(rank, other));
  }

  /** Numbers the places of one relation; those of a group are found once for all its members. */
  private final class Places {
    private final CondensedGraph graph;
    private final Relation relation;
    private final Map<Place, Integer> numbers = new HashMap<>();
    private final int[] numberOf = new int[setOf.length];

    Places(CondensedGraph graph, Relation relation) {
      this.graph = graph;
      this.relation = relation;
      Arrays.fill(numberOf, -1);
    }

    int number(int rank) {
      if (numberOf[rank] < 0) {
        List<Integer> partners = graph.partners(relation, rank);
        int number = Partition.number(numbers, place(rank, partners));
        numberOf[rank] = number;
        if (relation instanceof Relation.Member) {
          partners.forEach(partner -> numberOf[partner] = number);
        }
      }
      return numberOf[rank];
    }
  }
}
