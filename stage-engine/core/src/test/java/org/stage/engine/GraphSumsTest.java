package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analysis;
import org.stage.analyze.Analyzer;
import org.stage.analyze.MemoryTimeline;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.emit.StageEmitter;
import org.stage.job.Job;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.plan.Durations;
import org.stage.plan.JobPlan;
import org.stage.plan.StepPlan;
import org.stage.state.Work;

/**
 * What is added up over the plan of a step, without a graph, is what is in the graph: its nodes,
 * FLOPs, traffic, the bytes that kernels read and write, and memory at every moment.
 */
class GraphSumsTest {
  static Stream<String> jobs() {
    return SeededJobs.some(200);
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void theFoldsOfAPlanAgree(String yaml) {
    Job job = Jobs.spec(yaml);
    ModelGraph model = ModelGraph.of(job, ModuleLibrary.standard());
    // One plan for all, as placing a job takes longer than each of them.
    JobPlan all = JobPlan.of(job, model, ModuleLibrary.standard());
    List<StepPlan> plans = new ArrayList<>(all.stepPlans());
    List<RankClass> classes = new ArrayList<>(StageEmitter.rankClasses(all, Durations.NONE));
    plans.sort(Comparator.comparingInt(each -> each.ranks().first()));
    classes.sort(Comparator.comparingInt(each -> each.ranks().first()));
    List<Analysis.OfClass> analysis = Analyzer.of(all, model).classes();
    List<MemoryTimeline> timelines = Analyzer.memory(all);
    assertThat(classes).hasSameSizeAs(analysis).hasSameSizeAs(plans).hasSameSizeAs(timelines);
    for (int i = 0; i < classes.size(); i++) {
      assertThat(classes.get(i).ranks())
          .isEqualTo(analysis.get(i).ranks())
          .isEqualTo(plans.get(i).ranks());
      ExecutionGraph graph = classes.get(i).graph();
      graph.verify();
      countsAgree(graph, analysis.get(i));
      bytesOfKernelsAgree(graph, plans.get(i));
      shapesAndFlopsOfProductsAgree(graph);
      memoryAgrees(graph, plans.get(i), timelines.get(i), all.precision());
    }
  }

  private static void countsAgree(ExecutionGraph graph, Analysis.OfClass counted) {
    assertThat(graph.nodes()).hasSize((int) counted.nodes());
    assertThat(flops(graph)).isEqualTo(new EnumMap<>(counted.flops()));
    assertThat(sum(graph, Node.Compute::otherFlops)).isEqualTo(counted.otherFlops());
    assertThat(traffic(graph)).isEqualTo(traffic(counted));
  }

  private static void bytesOfKernelsAgree(ExecutionGraph graph, StepPlan plan) {
    long[] bytes = new long[2];
    plan.forEach(
        (each, times) -> {
          if (each.action().work() instanceof Work.Kernel kernel) {
            bytes[0] += times * kernel.bytesRead();
            bytes[1] += times * kernel.bytesWritten();
          }
        });
    assertThat(sum(graph, Node.Compute::bytesRead)).isEqualTo(bytes[0]);
    assertThat(sum(graph, Node.Compute::bytesWritten)).isEqualTo(bytes[1]);
  }

  /**
   * The graph's own tensors, replayed, need what memory says, module by module: all 200 jobs agree
   * to the byte under the conventions of {@link ReplayedMemory}. Of these the last three are not
   * what the graph alone would give: 51 of the jobs keep activations in host memory, 9 read a slice
   * of what the embedding hands on, and 36 overlap passes; 123 do none of this. What runs again, as
   * it does in 157, is replayed where it stands.
   */
  private static void memoryAgrees(
      ExecutionGraph graph, StepPlan plan, MemoryTimeline timeline, Precision precision) {
    // Before any backward pass there are no whole gradients, but what is there all the time.
    long idle = timeline.moments().get(0).memory().workspace();
    List<ReplayedMemory.Peak> expected =
        timeline.moments().stream()
            .map(MemoryTimeline.Moment::memory)
            .map(at -> new ReplayedMemory.Peak(at.activations(), at.workspace() - idle))
            .toList();
    assertThat(ReplayedMemory.of(plan, graph, precision)).isEqualTo(expected);
  }

  private static Stream<Node.Compute> kernels(ExecutionGraph graph) {
    return graph.nodes().stream()
        .filter(Node.Compute.class::isInstance)
        .map(Node.Compute.class::cast);
  }

  private static long sum(ExecutionGraph graph, ToLongFunction<Node.Compute> of) {
    return kernels(graph).mapToLong(of).sum();
  }

  private static Map<Phase, Long> flops(ExecutionGraph graph) {
    Map<Phase, Long> flops = new EnumMap<>(Phase.class);
    Stream.of(Phase.values()).forEach(phase -> flops.put(phase, 0L));
    kernels(graph).forEach(kernel -> flops.merge(kernel.phase(), kernel.flops(), Long::sum));
    return flops;
  }

  /** Count, elements and bytes by kind, axes, group size and data type. */
  private static Map<String, List<Long>> traffic(ExecutionGraph graph) {
    Map<String, List<Long>> traffic = new TreeMap<>();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Collective c) {
        String group = c.group().axisNames() + " " + c.group().size();
        add(traffic, c.kind().text() + " " + group, c.type(), c.elements(), c.bytes());
      } else if (node instanceof Node.Send s) {
        add(traffic, "send " + s.peer().axisName() + " 2", s.type(), s.elements(), s.bytes());
      } else if (node instanceof Node.Recv r) {
        add(traffic, "recv " + r.peer().axisName() + " 2", r.type(), r.elements(), r.bytes());
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

  private static void shapesAndFlopsOfProductsAgree(ExecutionGraph graph) {
    assertThat(kernels(graph).filter(each -> !isOfItsShape(each))).isEmpty();
  }

  private static boolean isOfItsShape(Node.Compute kernel) {
    MatrixShape s = kernel.shape();
    long widths =
        switch (kernel.operator()) {
          case "einsum", "scaled_einsum" -> s.k();
          case "attention" -> s.k() + s.values();
          case "attention_grad" -> 3 * s.k() + 2 * s.values();
          default -> 0;
        };
    long flops = kernel.flops();
    return flops == 2 * widths * s.batch() * s.m() * s.n() && flops > 0 == widths > 0;
  }
}
