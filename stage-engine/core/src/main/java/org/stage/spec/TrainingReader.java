package org.stage.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.stage.api.model.ModelDescription;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Precision;
import org.stage.schedule.StagePartition;
import org.stage.spec.Training.ContextParallel;
import org.stage.spec.Training.EmbeddingOutput;
import org.stage.spec.Training.OptimizerKind;
import org.stage.spec.Training.Recompute;
import org.stage.spec.Training.ScheduleKind;
import org.stage.spec.Training.Sharding;

/** Completes the training step and checks it against model and mesh. */
final class TrainingReader {
  private final Values values;
  private final Problems problems;
  private final ModelDescription model;
  private final Mesh mesh;

  TrainingReader(Values values, Problems problems, ModelDescription model, Mesh mesh) {
    this.values = values;
    this.problems = problems;
    this.model = model;
    this.mesh = mesh;
  }

  Training read() {
    int globalBatch = values.whole("training.global_batch");
    int microBatch = values.whole("training.micro_batch");
    int seq = values.whole("training.seq");
    boolean sequenceParallel = sequenceParallel();
    checkSequence(seq, sequenceParallel);
    int microBatches = microBatches(globalBatch, microBatch);
    ScheduleKind schedule = ScheduleKind.ofText(values.word("training.schedule"));
    int virtualStages =
        new ScheduleCheck(values, problems, model, mesh).run(schedule, microBatches);
    return new Training(
        globalBatch,
        microBatch,
        microBatches,
        seq,
        precision(),
        values.word("training.precision").equals("fp8"),
        sequenceParallel,
        schedule,
        virtualStages,
        layersPerStage(virtualStages),
        values.word("training.attention").equals("flash"),
        contextParallel(),
        values.word("training.attention_flops").equals("causal"),
        embeddingOutput(sequenceParallel),
        values.flag("training.dropout"),
        recompute(),
        RecomputedModules.read(values, problems),
        new ExpertReader(values, problems, model, mesh)
            .read(sequenceParallel, tokens(microBatch, seq, sequenceParallel)),
        OptimizerKind.valueOf(values.word("training.optimizer").toUpperCase(Locale.ROOT)),
        sharding(),
        paddedVocab(),
        values.flag("training.grad_clip"),
        Conventions.read(values, values.whole("training.zero")),
        Training.Offload.valueOf(values.word("training.offload").toUpperCase(Locale.ROOT)),
        values.word("training.expert_gates").equals("activation"));
  }

  private boolean sequenceParallel() {
    return values.flag(
        "training.sequence_parallel", Framework.of(values).sequenceParallel(mesh.degree("tp")));
  }

  private Recompute recompute() {
    if (values.node("training.recompute").orElse(null) instanceof Node.Items) {
      return Recompute.MODULES;
    }
    return Recompute.valueOf(values.word("training.recompute").toUpperCase(Locale.ROOT));
  }

  /** Tokens of a micro-batch on one rank, where they are split most. */
  private long tokens(int microBatch, int seq, boolean sequenceParallel) {
    return (long) microBatch * seq / mesh.degree("cp") / (sequenceParallel ? mesh.degree("tp") : 1);
  }

  private ContextParallel contextParallel() {
    int cp = mesh.degree("cp");
    boolean ulysses = values.word("training.context_parallel").equals("ulysses");
    int ranks = cp * mesh.degree("tp");
    if (ulysses && cp > 1 && model.kvHeads() % ranks != 0) {
      fault(
          "training.context_parallel",
          String.format(
              "ulysses shards %d key/value heads over mesh.tp x mesh.cp = %d, which does not divide"
                  + " them",
              model.kvHeads(), ranks),
          "Lower tp or cp, or take all-gather.");
    }
    boolean ring = values.word("training.context_parallel").equals("ring");
    if (ring && cp > 1 && !values.word("training.attention").equals("flash")) {
      fault(
          "training.context_parallel",
          "ring joins parts of attention by their log-sum-exp, which only flash attention keeps",
          "Set training.attention: flash, or take all-gather.");
    }
    return ulysses
        ? ContextParallel.ULYSSES
        : ring ? ContextParallel.RING : ContextParallel.ALL_GATHER;
  }

  private Sharding sharding() {
    int dp = mesh.degree("dp");
    int replicas = dp * mesh.degree("cp") * mesh.degree("ep");
    String asked = values.word("training.zero_group");
    int group = asked.equals("whole") ? replicas : values.whole("training.zero_group");
    if (replicas != dp && group != replicas) {
      fault(
          "training.zero_group",
          group + " is not available with context or expert parallelism in this version",
          "Available: whole.");
    } else if (group != replicas && ExpertReader.tp(values, mesh) < mesh.degree("tp")) {
      fault(
          "training.zero_group",
          group + " is not available with training.expert_tp below mesh.tp in this version",
          "Available: whole.");
    } else if (replicas % group != 0) {
      fault(
          "training.zero_group",
          group + " does not divide mesh.dp " + dp,
          Nearest.remedy("Nearest that do", Nearest.fitting(group, dp, count -> dp % count == 0)));
    }
    int zero = values.whole("training.zero");
    boolean buckets = !values.word("training.bucket_mb").equals("none");
    if (buckets && zero >= 2) {
      fault(
          "training.bucket_mb",
          "buckets do not apply under training.zero " + zero + ", which scatters by module",
          "Remove it, or set training.zero to 0 or 1.");
    }
    return new Sharding(
        zero,
        group,
        values.whole("training.prefetch"),
        buckets ? values.whole("training.bucket_mb") : 0);
  }

  private void checkSequence(int seq, boolean sequenceParallel) {
    int tp = mesh.degree("tp");
    int cp = mesh.degree("cp");
    // Each context-parallel rank has two parts of a sequence, early and late, so that causal
    // attention
    // is balanced.
    int parts = (cp > 1 ? 2 * cp : 1) * (sequenceParallel ? tp : 1);
    if (seq % parts != 0) {
      String message =
          cp == 1
              ? seq
                  + " is not a multiple of mesh.tp "
                  + tp
                  + ", as training.sequence_parallel needs"
              : seq + " is not a multiple of the " + parts + " parts into which the mesh cuts it";
      fault(
          "training.seq",
          message,
          Nearest.remedy("Nearest that are", Nearest.multiples(seq, parts, Integer.MAX_VALUE)));
    }
    if (model.positions() > 0 && seq > model.positions()) {
      fault(
          "training.seq",
          seq + " exceeds the " + model.positions() + " learned positions of " + model.name(),
          "Largest possible: " + model.positions() + "; or set model.positions.");
    }
  }

  private int microBatches(int globalBatch, int microBatch) {
    int ep = mesh.degree("ep");
    long step = (long) mesh.degree("dp") * ep * microBatch;
    if (globalBatch % step != 0) {
      fault(
          "training.global_batch",
          String.format(
              "%d is not a multiple of mesh.dp x %straining.micro_batch = %d x %s%d",
              globalBatch,
              ep > 1 ? "mesh.ep x " : "",
              mesh.degree("dp"),
              ep > 1 ? ep + " x " : "",
              microBatch),
          Nearest.remedy(
              "Nearest that are", Nearest.multiples(globalBatch, step, Integer.MAX_VALUE)));
    }
    return (int) (globalBatch / step);
  }

  private Precision precision() {
    String asked = values.word("training.precision");
    int tp = mesh.degree("tp");
    if (asked.equals("fp8") && model.kvHeads() > 1 && tp > model.kvHeads()) {
      fault(
          "training.precision",
          "fp8 is not available where mesh.tp "
              + tp
              + " exceeds the "
              + model.kvHeads()
              + " key/value heads in this version",
          "Lower tp to " + model.kvHeads() + ", or take bf16.");
    }
    // In 8 bits are only the inputs of products; what they are cast from is in 16.
    DataType weights =
        asked.equals("fp8") ? DataType.BF16 : DataType.valueOf(asked.toUpperCase(Locale.ROOT));
    boolean same = values.word("training.gradients").equals("precision");
    return new Precision(weights, weights, same ? weights : DataType.FP32);
  }

  private List<Integer> layersPerStage(int virtualStages) {
    int stages = mesh.degree("pp") * virtualStages;
    List<Integer> layers = new ArrayList<>();
    if (stages > model.layers()) {
      return layers; // refused with the mesh
    }
    if (!values.has("training.layers_per_stage")) {
      return StagePartition.even(model.layers(), stages);
    }
    for (Node item : values.items("training.layers_per_stage")) {
      layers.add(Integer.valueOf(((Node.Scalar) item).raw()));
    }
    long sum = layers.stream().mapToLong(Integer::longValue).sum();
    if (layers.size() != stages) {
      fault(
          "training.layers_per_stage",
          "has "
              + layers.size()
              + " entries for mesh.pp "
              + mesh.degree("pp")
              + (virtualStages > 1 ? " x training.virtual_stages " + virtualStages : ""),
          "Give one for each stage, " + stages + " in all.");
    } else if (sum != model.layers()) {
      fault(
          "training.layers_per_stage",
          "sums to " + sum + "; " + model.name() + " has " + model.layers() + " layers",
          "Change an entry by " + Math.abs(sum - model.layers()) + ".");
    }
    return layers;
  }

  private EmbeddingOutput embeddingOutput(boolean sequenceParallel) {
    String asked = values.word("training.embedding_output");
    if (!sequenceParallel) {
      if (asked.equals("reduce-scatter")) {
        fault(
            "training.embedding_output",
            "reduce-scatter needs training.sequence_parallel: true",
            "Set that, or remove this.");
      }
      return EmbeddingOutput.ALL_REDUCE;
    }
    // Megatron adds learned positions to whole sequences and cuts afterwards.
    boolean whole = asked.equals("all-reduce") || (asked.equals("auto") && model.positions() > 0);
    return whole ? EmbeddingOutput.ALL_REDUCE : EmbeddingOutput.REDUCE_SCATTER;
  }

  private int paddedVocab() {
    long multiple = values.whole("training.vocab_multiple", Framework.of(values).vocabMultiple());
    long step = multiple * mesh.degree("tp");
    long padded = (model.vocab() + step - 1) / step * step;
    if (padded > Integer.MAX_VALUE) {
      fault(
          "training.vocab_multiple",
          multiple + " x mesh.tp pads the vocabulary to " + padded,
          "Lower it; Megatron's is " + Framework.MEGATRON.vocabMultiple() + ".");
      return model.vocab();
    }
    return (int) padded;
  }

  private void fault(String key, String message, String remedy) {
    problems.add(values.place(key), key, message, remedy);
  }
}
