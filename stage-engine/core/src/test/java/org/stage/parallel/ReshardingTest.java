package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;

class ReshardingTest {
  /** {@code R}, {@code S0}, {@code P} or {@code M} (maximum) for each mesh axis. */
  private static Layout layout(String text) {
    return new Layout(Stream.of(text.split(" ")).map(ReshardingTest::placement).toList());
  }

  private static Placement placement(String text) {
    return switch (text.charAt(0)) {
      case 'R' -> Placement.REPLICATE;
      case 'S' -> new Placement.Shard(Integer.parseInt(text.substring(1)));
      default -> new Placement.Partial(text.equals("M"));
    };
  }

  /** Collectives with the mesh axes along which they run. */
  private static String moves(String from, String to) {
    int axes = from.split(" ").length;
    DeviceMesh mesh =
        DeviceMesh.of(
            new Mesh(
                List.of(new MeshAxis("tp", 4), new MeshAxis("dp", 2), new MeshAxis("cp", 2))
                    .subList(0, axes)),
            4);
    List<Resharding.Move> moves = Resharding.moves(mesh, layout(from), layout(to));
    Layout end = moves.isEmpty() ? layout(from) : moves.get(moves.size() - 1).to();
    assertThat(end).isEqualTo(layout(to));
    return moves.stream()
        .map(move -> (move.kind() == null ? "slice" : move.kind().text()) + " " + move.axes())
        .collect(Collectors.joining(", "));
  }

  @ParameterizedTest
  @CsvSource({
    "R, R, ''",
    "R, S0, slice [0]",
    "S0, R, all-gather [0]",
    "S0, S0, ''",
    "S1, S0, all-to-all [0]",
    "P, R, all-reduce [0]",
    "P, S0, reduce-scatter [0]",
    "P, P, ''",
    "M, R, all-reduce [0]"
  })
  void eachChangeHasItsCollective(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"R, P", "S0, P", "P, M"})
  void nothingBecomesPartialByCommunication(String from, String to) {
    assertThatThrownBy(() -> moves(from, to)).hasMessageStartingWith("nothing turns ");
  }

  @ParameterizedTest
  @CsvSource({
    "P P, R R, 'all-reduce [0, 1]'",
    "S1 S1, R R, 'all-gather [0, 1]'",
    "P P, S1 S1, 'reduce-scatter [0, 1]'",
    "P S0 P, R S0 R, 'all-reduce [0, 2]'",
    "P P, S1 S0, 'reduce-scatter [0], reduce-scatter [1]'",
    "P M, R R, 'all-reduce [0], all-reduce [1]'"
  })
  void axesWithTheSameChangeMoveTogether(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "S0 P, R S1, 'reduce-scatter [1], all-gather [0]'",
    "P R, R S0, 'slice [1], all-reduce [0]'",
    "S0 S1 P, S1 R R, 'all-to-all [0], all-reduce [2], all-gather [1]'"
  })
  void whatShrinksTheTensorComesFirst(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  /** Parts of one dimension nest: what an inner mesh axis slices, an outer one has cut before. */
  @ParameterizedTest
  @CsvSource({
    "P R, S0 S0, 'reduce-scatter [0], slice [1]'",
    "R P, S0 S0, 'slice [0], reduce-scatter [1]'",
    "P R, S1 S0, 'slice [1], reduce-scatter [0]'"
  })
  void outerMeshAxesCutADimensionFirst(String from, String to, String expected) {
    assertThat(moves(from, to)).isEqualTo(expected);
  }

  @Test
  void anAxisThatStaysAsItIsTakesNoPart() {
    assertThat(moves("P S0", "S1 S0")).isEqualTo("reduce-scatter [0]");
  }
}
