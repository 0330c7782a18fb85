package org.stage.testkit.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.graph.Module;
import org.stage.api.text.ExecutionText;
import org.stage.api.text.GraphText;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/** What is printed is read back, tried on random graphs; a seed says which. */
class TextPropertiesTest {
  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aModuleIsReadBack(long seed) {
    Module module = new RandomGraphs(seed).module();
    String text = GraphText.print(module);
    assertThat(GraphTextParser.parse(text)).isEqualTo(module);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anExecutionGraphIsReadBack(long seed) {
    ExecutionGraph graph = new RandomGraphs(seed).graph();
    String text = ExecutionText.print(graph);
    assertThat(ExecutionTextParser.parse(text)).isEqualTo(graph);
    assertThat(text.lines())
        .hasSize(graph.nodes().size() + graph.tensors().size() + graph.attributes().size());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aWorkloadIsReadBack(long seed) {
    Workload workload = new RandomGraphs(seed).workload();
    Workload read = ExecutionTextParser.parseWorkload(ExecutionText.print(workload));
    assertThat(read).usingRecursiveComparison().ignoringFields("classes").isEqualTo(workload);
    assertThat(read.classes()).hasSameSizeAs(workload.classes());
    for (int i = 0; i < read.classes().size(); i++) {
      RankClass expected = workload.classes().get(i);
      RankClass actual = read.classes().get(i);
      assertThat(actual.stage()).isEqualTo(expected.stage());
      assertThat(actual.ranks()).isEqualTo(expected.ranks());
      assertThat(actual.graph()).isEqualTo(expected.graph());
    }
  }

  /** Whatever the text: it is read, or refused with the one exception that is documented. */
  @ParameterizedTest
  @MethodSource("seeds")
  void damagedTextIsReadOrRefused(long seed) {
    Random random = new Random(seed);
    String module = damage(GraphText.print(new RandomGraphs(seed).module()), random);
    String workload = damage(ExecutionText.print(new RandomGraphs(seed).workload()), random);
    assertReadOrRefused(() -> GraphTextParser.parse(module));
    assertReadOrRefused(() -> ExecutionTextParser.parseWorkload(workload));
  }

  private static void assertReadOrRefused(Runnable parse) {
    Throwable thrown = catchThrowable(parse::run);
    if (thrown != null) {
      assertThat(thrown).isExactlyInstanceOf(IllegalArgumentException.class);
      assertThat(thrown.getMessage()).isNotBlank();
    }
  }

  private static String damage(String text, Random random) {
    StringBuilder damaged = new StringBuilder(text);
    for (int i = 0; i <= random.nextInt(3); i++) {
      int at = random.nextInt(damaged.length());
      switch (random.nextInt(3)) {
        case 0 -> damaged.deleteCharAt(at);
        case 1 -> damaged.insert(at, "[]():,=x9-\"\\#\n".charAt(random.nextInt(14)));
        default -> damaged.setLength(Math.max(at, 5));
      }
    }
    return damaged.toString();
  }
}
