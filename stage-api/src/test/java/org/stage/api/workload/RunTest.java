package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RunTest {
  private static final MatrixShape SHAPE = new MatrixShape(1, 2, 3, 4);

  /** A turn of micro-batch {@code i}: a kernel that reads the weights, and a message. */
  private static Block turn(int i, int from, int tensor) {
    Position position = new Position(OptionalInt.of(i), "layers.7", "up", Position.Role.FORWARD);
    Node kernel =
        new Node.Compute(
            new NodeHeader(
                    from,
                    "mb" + i + ".layers.7.up",
                    Phase.FORWARD,
                    Ids.of(from - 1),
                    Ids.NONE,
                    Ids.of(0),
                    Ids.of(tensor))
                .at(position),
            "einsum",
            SHAPE,
            48,
            0,
            40,
            12);
    Node send =
        new Node.Send(
            new NodeHeader(
                from + 1,
                "mb" + i + ".send",
                Phase.FORWARD,
                Ids.of(from),
                Ids.NONE,
                Ids.of(tensor),
                Ids.NONE),
            "pp",
            1,
            6,
            DataType.BF16,
            10 * i);
    return new Block(List.of(kernel, send), List.of(new TensorValue("mb" + i + ".y", 12)));
  }

  private static Block start() {
    Node load =
        new Node.MemoryLoad(
            new NodeHeader(0, "load", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.NONE, Ids.of(0)), 24);
    return new Block(List.of(load), List.of(new TensorValue("w", 24)));
  }

  private static List<Block> blocks(int microBatches) {
    List<Block> blocks = new ArrayList<>(List.of(start()));
    for (int i = 0; i < microBatches; i++) {
      blocks.add(turn(i, 1 + 2 * i, 1 + i));
    }
    return blocks;
  }

  @Test
  void turnsThatDifferInNumbersOnlyAreOneRun() {
    List<Run> runs = ExecutionGraph.ofBlocks(blocks(5)).runs();
    assertThat(runs).extracting(Run::times).containsExactly(1, 5);
    assertThat(runs.get(1).first()).isEqualTo(turn(0, 1, 1));
    assertThat(runs.get(1).second()).contains(turn(1, 3, 2));
    assertThat(runs.get(1).block(4)).isEqualTo(turn(4, 9, 5));
  }

  @Test
  void theFlatViewOfRunsIsTheGraph() {
    ExecutionGraph graph = ExecutionGraph.ofBlocks(blocks(9));
    ExecutionGraph folded = ExecutionGraph.ofRuns(graph.runs());
    assertThat(folded).isEqualTo(graph).hasSameHashCodeAs(graph);
    assertThat(folded.nodes()).hasSize(19);
    assertThat(folded.nodes().get(18).name()).isEqualTo("mb8.send");
    assertThat(((Node.Send) folded.nodes().get(18)).tag()).isEqualTo(80);
    assertThat(folded.nodes().get(17).position().microBatch()).hasValue(8);
    assertThat(folded.runs()).isEqualTo(graph.runs());
    assertThatThrownBy(() -> folded.nodes().get(19)).isInstanceOf(IndexOutOfBoundsException.class);
    folded.verify();
  }

  @Test
  void severalTurnsMayRepeatTogether() {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      blocks.add(turn(i, 1 + 4 * i, 1 + 2 * i));
      Node store =
          new Node.MemoryStore(
              new NodeHeader(3 + 4 * i, "s", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.NONE, Ids.NONE),
              5);
      blocks.add(new Block(List.of(store), List.of()));
    }
    List<Run> runs = ExecutionGraph.ofBlocks(blocks).runs();
    assertThat(runs).hasSize(1);
    assertThat(runs.get(0).times()).isEqualTo(4);
    assertThat(runs.get(0).first().nodes()).hasSize(3);
  }

  @Test
  void twoTurnsAreNoRunAsNothingShowsThatTheyGoOn() {
    assertThat(ExecutionGraph.ofBlocks(blocks(2)).runs())
        .extracting(Run::times)
        .containsExactly(1, 1, 1);
  }

  @Test
  void aTurnThatGoesOnOtherwiseEndsTheRun() {
    List<Block> blocks = new ArrayList<>(blocks(4));
    blocks.set(4, turn(3, 7, 5));
    assertThat(ExecutionGraph.ofBlocks(blocks).runs())
        .extracting(Run::times)
        .containsExactly(1, 3, 1);
  }

  @Test
  void whatIsNoNumberHasToBeEqual() {
    assertThatThrownBy(() -> new Run(start(), Optional.of(turn(0, 1, 1)), 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the second block of a run is another block");
    assertThatThrownBy(() -> new Run(start(), Optional.empty(), 2))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Run.of(start()).block(1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void numbersInNamesGoOn() {
    assertThat(NumberedName.on("mb9.layers.3.x#2", "mb11.layers.3.x#5", 2))
        .isEqualTo("mb13.layers.3.x#8");
    assertThat(NumberedName.on("same", "same", 5)).isEqualTo("same");
    assertThat(NumberedName.sameWords("mb9.x", "mb10.x")).isTrue();
    assertThat(NumberedName.sameWords("mb9.x", "mb9.y")).isFalse();
    assertThat(NumberedName.sameWords("x", "x1")).isFalse();
    // Not numbers: with a leading zero, or longer than nine digits.
    assertThat(NumberedName.sameWords("a07", "a08")).isFalse();
    assertThat(NumberedName.sameWords("a1234567890", "a1234567891")).isFalse();
  }
}
