package org.stage.workloadfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.Precision;
import org.stage.job.ActivationCheckpointing;
import org.stage.job.ActivationCheckpointing.Recompute;
import org.stage.job.Batch;
import org.stage.job.LayerKernels;
import org.stage.job.Model;
import org.stage.job.NamePattern;
import org.stage.job.Nearest;
import org.stage.job.Numerics;
import org.stage.job.Optimizer;
import org.stage.job.RecomputedModules;
import org.stage.job.Training;

/** Completes the training step and checks it against model and mesh. */
final class TrainingReader {
  private static final String DISPATCH = "training.expert_dispatch";

  /** Channels of one scale, as the modules of experts have them. */
  private static final int SCALED = 128;

  private static final String RECOMPUTE = "training.recompute";

  private final Values values;
  private final Model model;
  private final Mesh mesh;

  TrainingReader(Values values, Model model, Mesh mesh) {
    this.values = values;
    this.model = model;
    this.mesh = mesh;
  }

  Batch batch() {
    int global = values.whole("training.global_batch");
    int micro = values.whole("training.micro_batch");
    int seq = values.whole("training.seq");
    checkSequence(seq);
    return new Batch(global, micro, microBatches(global, micro), seq);
  }

  Training read(Batch batch) {
    return new Training(
        batch,
        numerics(),
        new LayerKernels(
            values.word("training.attention").equals("flash"),
            values.word("training.attention_flops").equals("causal"),
            values.flag("training.dropout")),
        checkpointing(),
        values.constant("training.offload", Training.Offload.class),
        new ShardingReader(values, mesh).read(precision().gradients()),
        new Optimizer(
            values.constant("training.optimizer", Optimizer.Kind.class),
            values.flag("training.grad_clip", Framework.of(values).clipsGradients()),
            values.has("training.grad_norm")
                ? values.word("training.grad_norm").equals("by-tensor")
                : Framework.of(values).sumsNormsByTensor()));
  }

  private void checkSequence(int seq) {
    int tp = mesh.degree("tp");
    int cp = mesh.degree("cp");
    boolean sequenceParallel = StrategyReader.sequenceParallel(values, mesh);
    // Each context-parallel rank has two parts of a sequence, early and late, so that causal
    // attention is balanced.
    int parts = (cp > 1 ? 2 * cp : 1) * (sequenceParallel ? tp : 1);
    if (seq % parts != 0) {
      String message =
          cp == 1
              ? seq
                  + " is not a multiple of mesh.tp "
                  + tp
                  + ", as training.sequence_parallel needs"
              : seq + " is not a multiple of the " + parts + " parts into which the mesh cuts it";
      values.fault(
          "training.seq",
          message,
          Nearest.remedy("Nearest that are", Nearest.multiples(seq, parts, Integer.MAX_VALUE)));
    }
    if (model.positions() > 0 && seq > model.positions()) {
      values.fault(
          "training.seq",
          seq + " exceeds the " + model.positions() + " learned positions of " + model.name(),
          "Largest possible: " + model.positions() + "; or set model.positions.");
    }
  }

  private int microBatches(int globalBatch, int microBatch) {
    int ep = mesh.degree("ep");
    long step = (long) mesh.degree("dp") * ep * microBatch;
    if (globalBatch % step != 0) {
      values.fault(
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

  private Numerics numerics() {
    boolean fp8 = values.word("training.precision").equals("fp8");
    boolean dispatch = values.word(DISPATCH).equals("fp8");
    if (dispatch && !fp8) {
      values.fault(
          DISPATCH,
          "fp8 needs training.precision: fp8, so that experts multiply what they receive; it is "
              + values.word("training.precision"),
          "Set that, or remove this.");
    }
    long hidden = model.sizes().getOrDefault(Keys.at("model.hidden").symbol(), 0L);
    if (dispatch && model.experts().isPresent() && hidden % SCALED != 0) {
      values.fault(
          DISPATCH,
          "fp8 has a scale for each "
              + SCALED
              + " channels, which do not divide model.hidden "
              + hidden,
          "Take precision, or change model.hidden.");
    }
    return new Numerics(precision(), fp8, fp8 && dispatch);
  }

  private Precision precision() {
    String asked = values.word("training.precision");
    int tp = mesh.degree("tp");
    int most = model.kvHeads() > 1 ? model.kvHeads() : model.heads();
    if (asked.equals("fp8") && tp > most) {
      values.fault(
          "training.precision",
          "fp8 is not available where mesh.tp "
              + tp
              + " exceeds the "
              + most
              + (model.kvHeads() > 1 ? " key/value" : " attention")
              + " heads in this version",
          "Lower tp to " + most + ", or take bf16.");
    }
    // In 8 bits are only the inputs of products; what they are cast from is in 16.
    DataType weights =
        asked.equals("fp8") ? DataType.BF16 : DataType.valueOf(asked.toUpperCase(Locale.ROOT));
    boolean same =
        values.has("training.gradients")
            ? values.word("training.gradients").equals("precision")
            : Framework.of(values).keepsGradients(weights);
    return new Precision(weights, weights, same ? weights : DataType.FP32);
  }

  private ActivationCheckpointing checkpointing() {
    if (!(values.node(RECOMPUTE).orElse(null) instanceof SourceNode.Items)) {
      return new ActivationCheckpointing(
          values.constant(RECOMPUTE, Recompute.class), RecomputedModules.NONE);
    }
    List<NamePattern> patterns = new ArrayList<>();
    for (SourceNode item : values.items(RECOMPUTE)) {
      String typed = ((SourceNode.Scalar) item).raw();
      String[] parts = typed.split("\\.", 3);
      if (!parts[0].equals("layers")) {
        patterns.add(new NamePattern(typed));
      } else if (parts.length < 3 || !parts[1].equals("*")) {
        values
            .problems()
            .add(
                item.origin().at(RECOMPUTE),
                "'" + typed + "' is not a module of every layer",
                parts.length < 3
                    ? "For whole layers write full."
                    : "All layers compute alike: write layers.*." + parts[2] + ".");
      } else {
        patterns.add(new NamePattern(parts[2]));
      }
    }
    return new ActivationCheckpointing(
        Recompute.MODULES, new RecomputedModules(patterns, values.origin(RECOMPUTE)));
  }
}
