package org.stage.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.stage.analyze.Analysis;
import org.stage.analyze.Analyzer;
import org.stage.analyze.MemoryTimeline;
import org.stage.analyze.advice.Advice;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.graph.Module;
import org.stage.api.workload.PipelineSchedule;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;
import org.stage.backward.Differentiation;
import org.stage.calibrate.Calibration;
import org.stage.calibrate.CalibrationReport;
import org.stage.calibrate.KnownTimes;
import org.stage.emit.StageEmitter;
import org.stage.job.Job;
import org.stage.job.Model;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.parallel.PlacedModel;
import org.stage.parallel.RuleCheck;
import org.stage.plan.Durations;
import org.stage.plan.JobPlan;
import org.stage.schedule.Pipeline;

/** A job, synthesized: asked for its costs, or for the workload that exporters take. */
public final class Synthesis {
  private final ModelGraph model;
  private final PlacedModel placed;
  private final JobPlan plan;
  private final RecomputedParts parts;
  private final Durations durations;
  private final Optional<CalibrationReport> calibration;

  private Synthesis(
      ModelGraph model,
      PlacedModel placed,
      RecomputedParts parts,
      Durations durations,
      Optional<CalibrationReport> calibration) {
    this.model = model;
    this.placed = placed;
    this.plan = parts.plan();
    this.parts = parts;
    this.durations = durations;
    this.calibration = calibration;
  }

  /** A job of which no duration is known. */
  public static Synthesis of(Job job) {
    return of(job, KnownTimes.NONE);
  }

  /** A job on the modules and operators of the engine. */
  public static Synthesis of(Job job, KnownTimes times) {
    return of(job, times, ModuleLibrary.standard());
  }

  /**
   * Builds the symbolic graph of a job and places it; instantiates no rank.
   *
   * @param times durations that are known better than by an estimate
   * @param library the modules, and what is known of their operators
   * @throws InputException if the model cannot be split as the job asks, or a figure does not fit
   *     63 bits
   */
  public static Synthesis of(Job job, KnownTimes times, ModuleLibrary library) {
    return ExactFigures.of(job, () -> make(job, times, library));
  }

  private static Synthesis make(Job job, KnownTimes times, ModuleLibrary library) {
    ModelGraph model = ModelGraph.of(job, library);
    RuleCheck.run(job, model, library);
    PlacedModel placed = PlacedModel.of(job, model, library);
    RecomputedParts parts = RecomputedParts.of(job, each -> JobPlan.of(each, model, placed));
    if (times.isEmpty()) {
      return new Synthesis(model, placed, parts, Durations.NONE, Optional.empty());
    }
    Calibration.Calibrated calibrated = Calibration.of(parts.plan(), times);
    return new Synthesis(
        model, placed, parts, calibrated.durations(), Optional.of(calibrated.report()));
  }

  /** How well the durations of the job are known; empty if it names no measured ones. */
  public Optional<CalibrationReport> calibration() {
    return calibration;
  }

  /** Parameters of a model, the vocabulary unpadded. */
  public static long parameters(Model model) {
    return graph(model).parameters();
  }

  /** Parameters of a model that one token meets. */
  public static long activeParameters(Model model) {
    return graph(model).activeParameters();
  }

  private static ModelGraph graph(Model model) {
    Set<ModelGraph.Option> options = Set.of(ModelGraph.Option.FLASH_ATTENTION);
    return ModelGraph.of(model, options, ModuleLibrary.standard());
  }

  /** What the job costs, from the symbolic graph. */
  public Analysis analysis() {
    return ExactFigures.of(plan.job(), () -> Analyzer.of(plan, model));
  }

  /** The memory of each class of ranks over a step. */
  public List<MemoryTimeline> memoryTimelines() {
    return ExactFigures.of(plan.job(), () -> Analyzer.memory(plan));
  }

  /** The pipeline of the job; of one rank where it has none. */
  public Pipeline pipeline() {
    return plan.pipeline();
  }

  /** What is wasteful about the job, a warning each. */
  public List<Diagnostic> advice(Analysis analysis) {
    Job job = plan.job();
    List<Diagnostic> advice = new ArrayList<>(parts.warnings());
    advice.addAll(
        ExactFigures.of(
            job,
            () ->
                Advice.of(
                    job,
                    analysis,
                    () ->
                        Analyzer.of(
                            JobPlan.of(job.withoutRecomputation(), model, placed), model))));
    return List.copyOf(advice);
  }

  /** The job as exporters take it; each class builds its graph when asked. */
  public Workload workload() {
    Job job = plan.job();
    List<RankClass> classes =
        new ArrayList<>(ExactFigures.of(job, () -> StageEmitter.rankClasses(plan, durations)));
    classes.replaceAll(each -> each.withGraph(() -> ExactFigures.of(job, each::graph)));
    if (pipeline().ranks() > 1) {
      PipelineSchedule order =
          new PipelineSchedule(pipeline().schedule().name(), pipeline().virtualStages());
      classes.replaceAll(each -> each.scheduled(order));
    }
    classes.sort((a, b) -> Integer.compare(a.ranks().first(), b.ranks().first()));
    return new Workload(
        job.name(),
        job.model().name(),
        job.mesh(),
        plan.precision(),
        new Workload.Platform(
            job.platform().hardware(), job.platform().network(), job.platform().collectives()),
        classes,
        Optional.empty());
  }

  /** The modules of the model, each forward graph followed by its backward graph. */
  public List<Module> modules() {
    List<Module> modules = new ArrayList<>();
    List<Module> forward = new ArrayList<>(List.of(model.embedding()));
    forward.addAll(model.layers());
    forward.add(model.head());
    for (Module module : forward) {
      modules.add(module);
      modules.add(Differentiation.of(module, placed.operators()));
    }
    return List.copyOf(modules);
  }
}
