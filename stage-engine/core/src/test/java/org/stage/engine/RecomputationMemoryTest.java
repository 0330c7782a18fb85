package org.stage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.analyze.Analyzer;
import org.stage.api.graph.Operator;
import org.stage.job.ActivationCheckpointing;
import org.stage.job.ActivationCheckpointing.Recompute;
import org.stage.job.Job;
import org.stage.job.NamePattern;
import org.stage.job.Origin;
import org.stage.job.RecomputedModules;
import org.stage.job.Training;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.parallel.PlacedModel;
import org.stage.plan.JobPlan;

/** Whatever parts of a layer run again, no device ever needs more memory for it. */
class RecomputationMemoryTest {
  private static final int LISTS = 10;

  static Stream<String> jobs() {
    return SeededJobs.some(40);
  }

  static Stream<String> moreJobs() {
    return SeededJobs.some(200).skip(40);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("moreJobs")
  void noListOfPartsOfAnyJobNeedsMoreThanNone(String yaml) {
    noListOfPartsNeedsMoreThanNone(yaml);
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void noListOfPartsNeedsMoreThanNone(String yaml) {
    Job job = Jobs.spec(yaml).withoutRecomputation();
    ModuleLibrary library = ModuleLibrary.standard();
    ModelGraph model = ModelGraph.of(job, library);
    PlacedModel placed = PlacedModel.of(job, model, library);
    List<String> operators =
        model.layers().stream().flatMap(l -> l.operators().stream()).map(Operator::name).toList();
    List<Long> none = peaks(JobPlan.of(job, model, placed));
    Random random = new Random(yaml.hashCode());
    for (int i = 0; i < LISTS; i++) {
      List<NamePattern> parts = parts(operators, random);
      List<Long> some =
          peaks(
              RecomputedParts.of(recomputing(job, parts), of -> JobPlan.of(of, model, placed))
                  .plan());
      for (int rank = 0; rank < none.size(); rank++) {
        assertThat(some.get(rank))
            .as("%s of class %d", parts, rank)
            .isLessThanOrEqualTo(none.get(rank));
      }
    }
  }

  private static List<Long> peaks(JobPlan plan) {
    return Analyzer.memory(plan).stream().map(each -> each.peak().memory().peak()).toList();
  }

  /** One to four names of operators, or of what they stand in. */
  private static List<NamePattern> parts(List<String> operators, Random random) {
    List<NamePattern> parts = new ArrayList<>();
    for (int count = 1 + random.nextInt(4); count > 0; count--) {
      String name = operators.get(random.nextInt(operators.size()));
      int end = random.nextBoolean() ? name.indexOf('.') : -1;
      parts.add(new NamePattern(end < 0 ? name : name.substring(0, end)));
    }
    return parts;
  }

  private static Job recomputing(Job job, List<NamePattern> parts) {
    Training of = job.training();
    Training training =
        new Training(
            of.batch(),
            of.numerics(),
            of.kernels(),
            new ActivationCheckpointing(
                Recompute.MODULES, new RecomputedModules(parts, new Origin("", 0, ""))),
            of.offload(),
            of.sharding(),
            of.optimizer());
    return new Job(
        job.name(),
        job.model(),
        job.mesh(),
        job.strategy(),
        training,
        job.platform(),
        job.origins());
  }
}
