package org.stage.workloadfile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.workload.Mesh;
import org.stage.job.Batch;
import org.stage.job.ContextParallelism;
import org.stage.job.Model;
import org.stage.job.PipelineParallelism;
import org.stage.job.Strategy;
import org.stage.job.TensorParallelism;
import org.stage.job.TensorParallelism.EmbeddingOutput;
import org.stage.job.TensorParallelism.WeightGradients;
import org.stage.schedule.Schedule;
import org.stage.schedule.Schedules;

/** Completes the strategy and checks it against model and mesh. */
final class StrategyReader {
  private final Values values;
  private final Model model;
  private final Mesh mesh;
  private final Schedules schedules;

  StrategyReader(Values values, Model model, Mesh mesh, Schedules schedules) {
    this.values = values;
    this.model = model;
    this.mesh = mesh;
    this.schedules = schedules;
  }

  Strategy read(Batch batch) {
    boolean sequenceParallel = sequenceParallel(values, mesh);
    return new Strategy(
        tensor(sequenceParallel),
        context(),
        pipeline(batch.microBatches()),
        new ExpertReader(values, model, mesh).read(sequenceParallel, tokens(batch)),
        rules());
  }

  /** Whether norms and residuals are sharded along the sequence over {@code tp}. */
  static boolean sequenceParallel(Values values, Mesh mesh) {
    return values.flag(
        "training.sequence_parallel", Framework.of(values).sequenceParallel(mesh.degree("tp")));
  }

  /** Tokens of a micro-batch on one rank. */
  private long tokens(Batch batch) {
    return (long) batch.micro() * batch.seq() / mesh.degree("cp");
  }

  private TensorParallelism tensor(boolean sequenceParallel) {
    Framework usual = Framework.of(values);
    boolean single =
        values.has("training.tp_collectives")
            ? values.word("training.tp_collectives").equals("fp32")
            : usual.singlePrecision(values.whole("training.zero"));
    return new TensorParallelism(
        sequenceParallel,
        embeddingOutput(sequenceParallel),
        values.flag("training.keep_gathered", usual.keepsGathered()),
        single,
        values.has("training.weight_gradients")
            ? values.constant("training.weight_gradients", WeightGradients.class)
            : usual.weightGradients(),
        values.has("training.latents")
            ? values.word("training.latents").equals("whole")
            : usual.gathersOnce(),
        paddedVocab());
  }

  private EmbeddingOutput embeddingOutput(boolean sequenceParallel) {
    String asked = values.word("training.embedding_output");
    if (!sequenceParallel) {
      if (asked.equals("reduce-scatter")) {
        values.fault(
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
      values.fault(
          "training.vocab_multiple",
          multiple + " x mesh.tp pads the vocabulary to " + padded,
          "Lower it; Megatron's is " + Framework.MEGATRON.vocabMultiple() + ".");
      return model.vocab();
    }
    return (int) padded;
  }

  private ContextParallelism context() {
    int cp = mesh.degree("cp");
    boolean flash = values.word("training.attention").equals("flash");
    if (!values.has("training.context_parallel")) {
      return cp == 1 ? ContextParallelism.ALL_GATHER : Framework.of(values).context(flash);
    }
    ContextParallelism asked =
        values.constant("training.context_parallel", ContextParallelism.class);
    int ranks = cp * mesh.degree("tp");
    if (asked == ContextParallelism.ULYSSES && cp > 1 && model.kvHeads() % ranks != 0) {
      values.fault(
          "training.context_parallel",
          String.format(
              "ulysses shards %d key/value heads over mesh.tp x mesh.cp = %d, which does not divide"
                  + " them",
              model.kvHeads(), ranks),
          "Lower tp or cp, or take all-gather.");
    }
    if (asked == ContextParallelism.RING && cp > 1 && !flash) {
      values.fault(
          "training.context_parallel",
          "ring joins parts of attention by their log-sum-exp, which only flash attention keeps",
          "Set training.attention: flash, or take all-gather.");
    }
    return asked;
  }

  private PipelineParallelism pipeline(int microBatches) {
    Schedule schedule = schedules.named(values.word("training.schedule"));
    int virtualStages = new ScheduleCheck(values, model, mesh).run(schedule, microBatches);
    return new PipelineParallelism(schedule, virtualStages, layersPerStage(virtualStages));
  }

  private List<Integer> layersPerStage(int virtualStages) {
    int stages = mesh.degree("pp") * virtualStages;
    List<Integer> layers = new ArrayList<>();
    if (stages > model.layers()) {
      return layers; // refused with the mesh
    }
    if (!values.has("training.layers_per_stage")) {
      return PipelineParallelism.even(model.layers(), stages);
    }
    for (SourceNode item : values.items("training.layers_per_stage")) {
      layers.add(Integer.valueOf(((SourceNode.Scalar) item).raw()));
    }
    long sum = layers.stream().mapToLong(Integer::longValue).sum();
    if (layers.size() != stages) {
      values.fault(
          "training.layers_per_stage",
          "has "
              + layers.size()
              + " entries for mesh.pp "
              + mesh.degree("pp")
              + (virtualStages > 1 ? " x training.virtual_stages " + virtualStages : ""),
          "Give one for each stage, " + stages + " in all.");
    } else if (sum != model.layers()) {
      values.fault(
          "training.layers_per_stage",
          "sums to " + sum + "; " + model.name() + " has " + model.layers() + " layers",
          "Change an entry by " + Math.abs(sum - model.layers()) + ".");
    }
    return layers;
  }

  /** Mesh axes by logical axis, in the order of the table of keys. */
  private Map<String, List<String>> rules() {
    Map<String, List<String>> rules = new LinkedHashMap<>();
    for (Key key : Keys.in("rules")) {
      values.node(key.path()).ifPresent(node -> rules.put(key.name(), axes(node)));
    }
    return rules;
  }

  private static List<String> axes(SourceNode node) {
    if (node instanceof SourceNode.Items items) {
      return items.items().stream().map(item -> ((SourceNode.Scalar) item).raw()).toList();
    }
    String word = ((SourceNode.Scalar) node).raw();
    return word.equals("none") ? List.of() : List.of(word);
  }
}
