package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analysis;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/** What is counted without a graph is what is in the graph. */
class GraphSumsTest {
  static Stream<String> jobs() {
    return SeededJobs.some(120);
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void theAnalysisIsTheSumOverTheGraph(String job) {
    Synthesis synthesis = Jobs.job(job);
    List<Analysis.OfClass> analysis = synthesis.analysis().classes();
    Workload workload = synthesis.workload();
    workload.verify();
    assertThat(workload.classes()).hasSameSizeAs(analysis);
    for (int i = 0; i < analysis.size(); i++) {
      Analysis.OfClass expected = analysis.get(i);
      RankClass actual = workload.classes().get(i);
      assertThat(actual.ranks()).isEqualTo(expected.ranks());
      ExecutionGraph graph = actual.graph();
      graph.verify();
      assertThat(graph.nodes()).hasSize((int) expected.nodes());
      assertThat(flops(graph)).isEqualTo(new EnumMap<>(expected.flops()));
      assertThat(otherFlops(graph)).isEqualTo(expected.otherFlops());
      assertThat(traffic(graph)).isEqualTo(traffic(expected));
    }
  }

  private static Stream<Node.Compute> kernels(ExecutionGraph graph) {
    return graph.nodes().stream()
        .filter(Node.Compute.class::isInstance)
        .map(Node.Compute.class::cast);
  }

  private static Map<Phase, Long> flops(ExecutionGraph graph) {
    Map<Phase, Long> flops = new EnumMap<>(Phase.class);
    Stream.of(Phase.values()).forEach(phase -> flops.put(phase, 0L));
    kernels(graph).forEach(kernel -> flops.merge(kernel.phase(), kernel.flops(), Long::sum));
    return flops;
  }

  private static long otherFlops(ExecutionGraph graph) {
    return kernels(graph).mapToLong(Node.Compute::otherFlops).sum();
  }

  /** Count, elements and bytes by kind, axes, group size and data type. */
  private static Map<String, List<Long>> traffic(ExecutionGraph graph) {
    Map<String, List<Long>> traffic = new TreeMap<>();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Collective c) {
        String group = c.group().axisNames() + " " + c.group().size();
        add(traffic, c.kind().text() + " " + group, c.type(), c.elements(), c.bytes());
      } else if (node instanceof Node.Send s) {
        add(traffic, "send " + s.axis() + " 2", s.type(), s.elements(), s.bytes());
      } else if (node instanceof Node.Recv r) {
        add(traffic, "recv " + r.axis() + " 2", r.type(), r.elements(), r.bytes());
      }
    }
    return traffic;
  }

  private static void add(
      Map<String, List<Long>> traffic, String key, DataType type, long elements, long bytes) {
    traffic.merge(
        key + " " + type.text(),
        List.of(1L, elements, bytes),
        (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1), a.get(2) + b.get(2)));
  }

  private static Map<String, List<Long>> traffic(Analysis.OfClass of) {
    Map<String, List<Long>> traffic = new TreeMap<>();
    of.traffic()
        .forEach(
            t ->
                traffic.put(
                    t.kind() + " " + t.axis() + " " + t.groupSize() + " " + t.type().text(),
                    List.of(t.count(), t.elements(), t.bytes())));
    return traffic;
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void shapesAndFlopsOfProductsAgree(String job) {
    for (RankClass each : Jobs.job(job).workload().classes()) {
      kernels(each.graph())
          .forEach(
              kernel -> {
                MatrixShape s = kernel.shape();
                long widths =
                    switch (kernel.operator()) {
                      case "einsum", "scaled_einsum" -> s.k();
                      case "attention" -> s.k() + s.values();
                      case "attention_grad" -> 3 * s.k() + 2 * s.values();
                      default -> 0;
                    };
                assertThat(kernel.flops())
                    .as(kernel.name())
                    .isEqualTo(2 * widths * s.batch() * s.m() * s.n());
                assertThat(kernel.flops() > 0).as(kernel.name()).isEqualTo(widths > 0);
              });
    }
  }
}
