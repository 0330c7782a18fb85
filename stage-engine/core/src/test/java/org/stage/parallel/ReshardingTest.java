package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.numeric.Cluster;
import org.stage.numeric.Dense;

class ReshardingTest {
  private static final DeviceMesh MESH =
      DeviceMesh.of(
          new Mesh(
              List.of(
                  new MeshAxis("tp", 4),
                  new MeshAxis("cp", 3),
                  new MeshAxis("ep", 2),
                  new MeshAxis("dp", 2))),
          2);

  /** Letters of the mesh axes: the two factors of tp, which is split here, and the others. */
  private static final String LETTERS = "tuced";

  /**
   * The mesh axes of each dimension, outermost first; behind a {@code +} those with summands,
   * behind a {@code ^} those with maxima: {@code dt,c,-+u}.
   */
  private static Layout layout(String text) {
    String shards = text.replaceAll("[+^].*", "");
    List<List<Integer>> dimensions = new ArrayList<>();
    for (String dimension : List.of(shards.split(","))) {
      dimensions.add(axes(dimension));
    }
    return new Layout(
        dimensions,
        Set.copyOf(axes(text.replaceAll("^[^+]*|\\^.*", ""))),
        Set.copyOf(axes(text.replaceAll("^[^^]*", ""))));
  }

  private static List<Integer> axes(String letters) {
    return letters.chars().map(LETTERS::indexOf).filter(axis -> axis >= 0).boxed().toList();
  }

  /** Collectives with the mesh axes along which they run. */
  private static String moves(String from, String to) {
    return text(Resharding.moves(layout(from), layout(to)));
  }

  private static String text(List<Resharding.Move> moves) {
    return moves.stream()
        .map(
            move ->
                (move.kind() == null ? "slice" : move.kind().text())
                    + " "
                    + move.axes().stream()
                        .map(axis -> LETTERS.substring(axis, axis + 1))
                        .collect(Collectors.joining()))
        .collect(Collectors.joining(", "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-     | -   | ''",
        "-     | c   | slice c",
        "c     | -   | all-gather c",
        "c     | c   | ''",
        "-,c   | c,- | all-to-all c",
        "-+c   | -   | all-reduce c",
        "-+c   | c   | reduce-scatter c",
        "-+c   | -+c | ''",
        "-^c   | -   | all-reduce c",
        "-^c   | c   | 'all-reduce c, slice c'",
        "-^c   | -^c | ''"
      })
  void eachChangeHasItsCollective(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"- | -+c", "c | -+c", "-+c | -^c", "-^c | -+c", "c | c,-"})
  void nothingBecomesPartialByCommunication(String from, String to) {
    assertThatThrownBy(() -> moves(from, to)).hasMessageStartingWith("nothing turns ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-+tc    | -     | all-reduce tc",
        "-,tc    | -,-   | all-gather tc",
        "-+tc    | ct    | reduce-scatter ct",
        "-,tc    | ct,-  | all-to-all ct",
        "c+td    | c     | all-reduce td",
        "-       | cdt   | slice cdt",
        "-^tc    | -     | all-reduce tc",
        "-,-+tc  | c,t   | 'reduce-scatter c, reduce-scatter t'"
      })
  void axesWithTheSameChangeMoveTogether(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ct      | c     | all-gather t",
        "c       | ct    | slice t",
        "c+t     | ct    | reduce-scatter t",
        "ct,-    | c,t   | all-to-all t",
        "-,tc    | c,t   | all-to-all c",
        "ct,d    | c,dt  | all-to-all t"
      })
  void whatBothHaveFromTheOutermostOnStays(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  /** An inner axis cannot stay where an outer one goes or comes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ct      | t     | 'all-gather ct, slice t'",
        "t       | ct    | 'all-gather t, slice ct'",
        "tc      | ct    | 'all-gather tc, slice ct'",
        "t+c     | ct    | 'all-gather t, reduce-scatter c, slice t'",
        "dct     | dt    | 'all-gather ct, slice t'"
      })
  void whatDoesNotStayIsGatheredAndSliced(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t,-+c   | -,c   | 'reduce-scatter c, all-gather t'",
        "-,-+t   | c,-   | 'slice c, all-reduce t'",
        "t,-+c   | -,cd  | 'reduce-scatter c, slice d, all-gather t'",
        "-,t+c   | t,-   | 'all-to-all t, all-reduce c'",
        "e,t+c   | et,-  | 'all-to-all t, all-reduce c'"
      })
  void whatShrinksTheTensorComesFirst(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-+c     | cd    | 'reduce-scatter c, slice d'",
        "-+d     | cd    | 'slice c, reduce-scatter d'",
        "-+c     | dct   | 'slice d, reduce-scatter c, slice t'",
        "-,c     | dce,- | 'slice d, all-to-all c, slice e'"
      })
  void outerAxesCutADimensionFirst(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ct,-    | -,c   | 'all-gather t, all-to-all c'",
        "c,t     | t,-   | 'all-gather c, all-to-all t'",
        "c,t+d   | t,-   | 'all-reduce d, all-gather c, all-to-all t'",
        "ct,-    | t,c   | 'all-gather t, all-to-all c, slice t'"
      })
  void whatLiesInTheWayIsGatheredFirst(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  /** Of axes that each wait for the other, the one on the first dimension makes room. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c,t     | t,c   | 'all-gather c, all-to-all t, slice c'",
        "c,t,d   | t,d,c | 'all-gather c, all-to-all t, all-to-all d, slice c'",
        "ct,d,-  | d,t,c | 'all-gather t, all-to-all c, all-to-all d, slice t'",
        "ct,-,-  | -,c,t | 'all-to-all t, all-to-all c'"
      })
  void axesThatChangePlacesTakeAGatherAndASlice(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  @Test
  void eachMoveSaysTheLayoutAfterIt() {
    assertThat(Resharding.moves(layout("c,t+d"), layout("t,-")))
        .extracting(Resharding.Move::to)
        .containsExactly(layout("c,t"), layout("-,t"), layout("t,-"));
  }

  static IntStream seeds() {
    return IntStream.range(0, 1000);
  }

  /** Each move is executed; what the devices have after it must be what its layout says. */
  @ParameterizedTest
  @MethodSource("seeds")
  void movesOnDenseDataEndInTheLayoutThatIsWanted(int seed) {
    Random random = new Random(seed);
    boolean maxima = random.nextInt(4) == 0;
    int dimensions = 1 + random.nextInt(3);
    Set<Integer> any = Set.copyOf(axes(LETTERS));
    Layout from = draw(random, dimensions, maxima ? Set.of() : any, maxima ? any : Set.of());
    Layout to = draw(random, dimensions, from.sums(), from.maxima());
    Cluster cluster = new Cluster(MESH);
    int[] shape =
        IntStream.range(0, dimensions)
            .map(d -> cluster.count(from.shards().get(d)) * cluster.count(to.shards().get(d)))
            .toArray();
    Dense whole = Dense.random(random, shape);
    List<Dense> parts = undo(cluster, cluster.scatter(whole, from), from);
    Layout now = from;
    cluster.check("start", whole, now, parts);
    for (Resharding.Move move : Resharding.moves(from, to)) {
      parts =
          move.kind() == null
              ? cluster.slice(parts, now, move.to())
              : cluster.transfer(move.kind(), MESH.join(move.axes()), parts, now, move.to());
      now = move.to();
      cluster.check(from + " to " + to + " at " + move, whole, now, parts);
    }
    assertThat(now).isEqualTo(to);
  }

  /** A layout that puts each axis somewhere, on dimensions in any order. */
  private static Layout draw(
      Random random, int dimensions, Set<Integer> sums, Set<Integer> maxima) {
    List<Integer> order = new ArrayList<>(axes(LETTERS));
    Collections.shuffle(order, random);
    List<List<Integer>> shards = new ArrayList<>();
    IntStream.range(0, dimensions).forEach(d -> shards.add(new ArrayList<>()));
    Set<Integer> summed = new TreeSet<>();
    Set<Integer> largest = new TreeSet<>();
    for (int axis : order) {
      int where = random.nextInt(dimensions + 2);
      if (where < dimensions) {
        shards.get(where).add(axis);
      } else if (where == dimensions && sums.contains(axis)) {
        summed.add(axis);
      } else if (where == dimensions && maxima.contains(axis)) {
        largest.add(axis);
      }
    }
    return new Layout(shards, summed, largest);
  }

  /** Makes each part one of several that have it as their sum, or as their maximum. */
  private static List<Dense> undo(Cluster cluster, List<Dense> parts, Layout layout) {
    List<Integer> sums = List.copyOf(layout.sums());
    List<Integer> maxima = List.copyOf(layout.maxima());
    int others = cluster.count(sums) - 1;
    List<Dense> undone = new ArrayList<>();
    for (int rank = 0; rank < parts.size(); rank++) {
      int summand = cluster.place(rank, sums);
      int below = cluster.place(rank, maxima);
      Dense part = parts.get(rank);
      undone.add(
          part.with(
              part,
              (x, same) -> (summand > 0 ? summand : x - others * (others + 1) / 2.0) - below));
    }
    return undone;
  }
}
