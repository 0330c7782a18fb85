package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;
import org.stage.job.Job;
import org.stage.job.PipelineParallelism;
import org.stage.job.Strategy;
import org.stage.schedule.Alternation;
import org.stage.schedule.Costs;
import org.stage.schedule.Pipeline;
import org.stage.schedule.Schedule;
import org.stage.schedule.Schedules;
import org.stage.schedule.Simulation;
import org.stage.schedule.Turn;

/** A schedule that the engine does not know, from its turns to graphs and figures. */
class ToyScheduleTest {
  private static final Schedules SCHEDULES = Schedules.standard().with(new Eager());

  /** 1F1B whose ranks run one forward more before their first backward. */
  private record Eager() implements Schedule {
    @Override
    public String name() {
      return "eager";
    }

    @Override
    public List<Turn> turns(Pipeline pipeline, int rank) {
      return Alternation.turns(pipeline, pipeline.ranks() - rank);
    }
  }

  private static Job job(String schedule, int layers) {
    Job job =
        Jobs.spec(
            "{model: {family: llama, layers: %d, hidden: 64, heads: 8, ffn: 160, vocab: 1024},"
                    .formatted(layers)
                + " mesh: {pp: 3}, training: {global_batch: 4, seq: 32}}");
    Strategy of = job.strategy();
    PipelineParallelism pipeline =
        new PipelineParallelism(
            SCHEDULES.named(schedule),
            of.pipeline().virtualStages(),
            of.pipeline().layersPerStage());
    Strategy strategy = new Strategy(of.tensor(), of.context(), pipeline, of.experts(), of.rules());
    return new Job(
        job.name(), job.model(), job.mesh(), strategy, job.step(), job.platform(), job.origins());
  }

  @Test
  void itsTurnsAreThoseWrittenByHand() {
    Pipeline pipeline = job("eager", 6).pipeline();
    assertThat(Stream.of(0, 1, 2).map(rank -> pipeline.turns(rank).toString()))
        .containsExactly(
            "[F0, F1, F2, F3, B0, B1, B2, B3]",
            "[F0, F1, F2, B0, F3, B1, B2, B3]",
            "[F0, F1, B0, F2, B1, F3, B2, B3]");
  }

  /** Rank 2 ends at 14, and the last backward pass comes back over two ranks in 2 each. */
  @Test
  void itIsSimulatedAndHasNoClosedFormUnlessItSaysOne() {
    Pipeline pipeline = job("eager", 6).pipeline();
    assertThat(Simulation.of(pipeline, Costs.EQUAL).makespan()).isEqualTo(18);
    assertThat(pipeline.closedForm(Costs.EQUAL)).isEmpty();
  }

  @Test
  void graphsHaveItsOrder() {
    Workload workload = Synthesis.of(job("eager", 6)).workload();
    workload.verify();
    assertThat(workload.classes().stream().map(ToyScheduleTest::passes))
        .containsExactly(
            "F0 F1 F2 F3 B0 B1 B2 B3", "F0 F1 F2 B0 F3 B1 B2 B3", "F0 F1 B0 F2 B1 F3 B2 B3");
  }

  /** The passes of a graph's micro-batches, by their first kernels. */
  private static String passes(RankClass of) {
    of.graph().verify();
    return of.graph().nodes().stream()
        .filter(Node.Compute.class::isInstance)
        .filter(node -> node.position().microBatch().isPresent())
        .map(
            node ->
                (node.phase() == Phase.FORWARD ? "F" : "B")
                    + node.position().microBatch().getAsInt())
        .distinct()
        .collect(Collectors.joining(" "));
  }

  /** Per layer of the second of three ranks: three micro-batches are in flight, not two. */
  @Test
  void memoryIsThatOfItsOrder() {
    assertThat(2 * perLayer("eager")).isEqualTo(3 * perLayer("1f1b")).isPositive();
  }

  private static long perLayer(String schedule) {
    return activations(job(schedule, 9)) - activations(job(schedule, 6));
  }

  private static long activations(Job job) {
    return Synthesis.of(job).analysis().classes().get(1).memory().activations();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void noRankStandsStillWhateverTheTiming(int seed) {
    TimedCluster cluster = new TimedCluster(Synthesis.of(job("eager", 6)).workload(), seed);
    cluster.run();
    assertThat(cluster.standing()).isEmpty();
  }
}
