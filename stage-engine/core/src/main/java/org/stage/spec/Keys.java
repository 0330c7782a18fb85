package org.stage.spec;

import static org.stage.spec.Key.dependent;
import static org.stage.spec.Key.optional;
import static org.stage.spec.Key.required;
import static org.stage.spec.KeyType.Planned.LIST;
import static org.stage.spec.KeyType.Planned.MAP;
import static org.stage.spec.KeyType.Planned.NUMBER;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.spec.KeyType.Decimal;
import org.stage.spec.KeyType.ListOf;
import org.stage.spec.KeyType.OneOf;
import org.stage.spec.KeyType.Planned;
import org.stage.spec.KeyType.Section;
import org.stage.spec.KeyType.Text;
import org.stage.spec.KeyType.Unbuilt;
import org.stage.spec.KeyType.Whole;

/**
 * The table of all keys of the workload file. The check, the JSON Schema and the manual are made
 * from it; values that are planned but not built are in it, so that they are refused by name.
 */
final class Keys {
  /** Most devices of a mesh. */
  static final long DEVICES = 1 << 24;

  /** Axes of a mesh in the default order, innermost first. */
  static final List<String> AXES = List.of("tp", "cp", "ep", "dp", "pp");

  private static final Text NAME =
      new Text(
          "[A-Za-z0-9][A-Za-z0-9._-]{0,99}",
          "a name of letters, digits, dots, dashes and underscores, at most 100");
  private static final Text WORDS = new Text("[^\\n]{0,1000}", "a line of text");
  private static final Whole DEGREE = new Whole(1, DEVICES);
  private static final Decimal RATE = new Decimal(false, 1e9);

  private static final Map<String, Key> BY_PATH = index();

  private Keys() {}

  /** All keys by path, in the order of the manual. */
  static Map<String, Key> all() {
    return BY_PATH;
  }

  /** The key at {@code path}, which must exist. */
  static Key at(String path) {
    Key key = BY_PATH.get(path);
    if (key == null) {
      throw new IllegalArgumentException("no key " + path);
    }
    return key;
  }

  /** The keys of the map at {@code path}. */
  static List<Key> in(String path) {
    return BY_PATH.values().stream()
        .filter(key -> key.parent().equals(path) && !key.path().endsWith("[]"))
        .toList();
  }

  /** What the items of the list at {@code path} are. */
  static Optional<Key> items(String path) {
    return Optional.ofNullable(BY_PATH.get(path + "[]"));
  }

  private static Map<String, Key> index() {
    List<Key> keys = new ArrayList<>();
    keys.addAll(top());
    keys.addAll(model());
    keys.addAll(mesh());
    keys.addAll(training());
    keys.addAll(lessUsedTraining());
    keys.addAll(surroundings());
    Map<String, Key> byPath = new LinkedHashMap<>();
    keys.forEach(key -> byPath.put(key.path(), key));
    return Collections.unmodifiableMap(byPath);
  }

  private static List<Key> top() {
    return List.of(
        optional("name", NAME, "workload", "Prefix of exported files."),
        optional(
            "framework",
            words(List.of("megatron"), "nemo", "torchtitan"),
            "megatron",
            "Whose conventions fill what is not said: data type of gradients, padding of the vocabulary."),
        dependent(
            "rules", new Unbuilt(true), "none", "Logical axis to mesh axes, over the defaults."),
        dependent(
            "inference",
            new Unbuilt(true),
            "none",
            "A prefill or decode step, instead of training."),
        dependent(
            "profile", new Unbuilt(false), "none", "Measured traces whose durations are used."),
        dependent("inject", new Unbuilt(true), "none", "Durations by hand, by node pattern."),
        dependent("transforms", new Unbuilt(false), "none", "Graph transforms to apply, by name."),
        dependent("modules", new Unbuilt(false), "none", "Folders with module files of your own."));
  }

  private static List<Key> model() {
    KeyType preset =
        new OneOf(Node.Form.WORD, Presets.NAMES, Presets.PLANNED, List.of(Planned.PATH));
    return List.of(
        required(
            "model", new Section(false, preset), "The name of a preset, or a model in numbers."),
        dependent("model.preset", preset, "none", "A preset; the other keys change it."),
        dependent("model.name", NAME, "by preset", "Name in reports."),
        dependent("model.description", WORDS, "none", "A line about the model."),
        dependent("model.source", WORDS, "none", "Where the numbers come from."),
        dependent(
            "model.family",
            words(List.of("gpt", "llama", "palm"), "mixtral", "deepseek", "mamba", "jamba"),
            "by preset",
            "Sets the defaults of the keys below."),
        dependent("model.layers", new Whole(1, 10_000), "required", "Decoder layers."),
        dependent(
            "model.hidden", new Whole(1, 1 << 20), "required", "Width of the residual stream."),
        dependent("model.heads", new Whole(1, 1 << 14), "required", "Query heads."),
        dependent(
            "model.kv_heads",
            new Whole(1, 1 << 14),
            "heads; palm: 1",
            "Key/value heads; must divide heads."),
        dependent("model.head_dim", new Whole(1, 1 << 16), "hidden / heads", "Width of a head."),
        dependent(
            "model.ffn",
            new Whole(1, 1 << 22),
            "4 x hidden; llama: required",
            "Inner width of the feed-forward network."),
        dependent("model.vocab", new Whole(1, 1 << 24), "required", "Vocabulary, unpadded."),
        dependent(
            "model.positions",
            new Whole(0, 1 << 24),
            "gpt: 2048, else 0",
            "Rows of the learned position table; 0 with rotary positions."),
        dependent(
            "model.norm",
            words(List.of("layernorm", "rmsnorm")),
            "gpt: layernorm, else rmsnorm",
            "Kind of normalisation."),
        dependent(
            "model.activation",
            words(List.of("gelu", "swiglu")),
            "gpt: gelu, else swiglu",
            "gelu has two feed-forward matrices, swiglu three."),
        dependent(
            "model.bias", flag(), "gpt: true, else false", "Biases on all projections and norms."),
        dependent(
            "model.qkv_bias", flag(), "as bias", "Biases on the query, key and value projections."),
        dependent(
            "model.tied",
            flag(),
            "llama: false, else true",
            "The head shares the embedding's table."),
        dependent(
            "model.parallel_block",
            flag(),
            "palm: true, else false",
            "Attention and feed-forward read one norm and are added."),
        optional("model.redundant_experts", numbers("0"), "0", "Replicas of experts."));
  }

  private static List<Key> mesh() {
    return List.of(
        optional(
            "mesh",
            new Section(false, null),
            "",
            "Degrees of parallelism; devices are their product."),
        optional("mesh.dp", DEGREE, "1", "Data parallelism."),
        optional(
            "mesh.tp", DEGREE, "1", "Tensor parallelism; divides heads and feed-forward width."),
        optional("mesh.pp", DEGREE, "1", "Pipeline stages."),
        optional("mesh.cp", numbers("1"), "1", "Context parallelism."),
        optional("mesh.ep", numbers("1"), "1", "Expert parallelism, an axis of its own."),
        optional(
            "mesh.ep_in_dp",
            onlyFlag("false", "true"),
            "false",
            "Carve ep out of dp, as Megatron counts."),
        dependent(
            "mesh.order",
            new ListOf(true),
            "[tp, cp, ep, dp, pp]",
            "Axes in the order of rank numbers, innermost first."),
        dependent("mesh.order[]", words(AXES), "none", "An axis."));
  }

  private static List<Key> training() {
    return List.of(
        required("training", new Section(false, null), "The training step."),
        required(
            "training.global_batch",
            new Whole(1, Integer.MAX_VALUE),
            "Sequences per step over the whole job."),
        required("training.seq", new Whole(1, 1 << 24), "Tokens per sequence."),
        optional(
            "training.micro_batch",
            new Whole(1, 1 << 16),
            "1",
            "Sequences per micro-batch and data-parallel rank."),
        optional(
            "training.precision",
            words(List.of("bf16", "fp16", "fp32"), "fp8"),
            "bf16",
            "Data type of weights and activations."),
        dependent(
            "training.gradients",
            words(List.of("fp32", "precision")),
            "megatron: fp32",
            "Data type of gradients and of their reduction; precision: as training.precision."),
        optional(
            "training.sequence_parallel",
            flag(),
            "false",
            "Shard norms and residuals along the sequence over tp."),
        optional(
            "training.zero",
            numbers("0", "1", "2", "3"),
            "0",
            "Shard over dp: 1 optimizer states, 2 also gradients, 3 also parameters."),
        optional(
            "training.zero_group",
            words(List.of("whole"), NUMBER),
            "whole",
            "Size of the sharding group in hybrid sharding."),
        optional(
            "training.schedule",
            words(List.of("gpipe", "1f1b"), "interleaved", "zero-bubble", "dualpipe"),
            "1f1b",
            "Order of micro-batches in the pipeline."),
        optional(
            "training.virtual_stages",
            numbers("1"),
            "1",
            "Chunks per stage in the interleaved schedule."),
        dependent(
            "training.layers_per_stage",
            new ListOf(false),
            "even; the first stages get one more",
            "Decoder layers of each stage."),
        dependent(
            "training.layers_per_stage[]", new Whole(1, 10_000), "none", "Layers of a stage."),
        optional(
            "training.recompute",
            words(List.of("none"), List.of("selective", "full"), LIST),
            "none",
            "What is computed again in backward instead of kept."),
        optional("training.optimizer", words(List.of("adam", "sgd")), "adam", "The optimizer."),
        dependent(
            "training.vocab_multiple",
            new Whole(1, 1 << 20),
            "megatron: 128",
            "The vocabulary is padded to a multiple of this times tp; parameters are reported unpadded."),
        optional(
            "training.embedding_output",
            words(List.of("auto", "reduce-scatter", "all-reduce")),
            "auto",
            "How the embedding is summed under sequence parallelism; auto: all-reduce with learned positions, else reduce-scatter."));
  }

  private static List<Key> lessUsedTraining() {
    return List.of(
        optional(
            "training.attention",
            words(List.of("flash", "unfused")),
            "flash",
            "flash: scores are computed again in backward; unfused: kept."),
        optional(
            "training.attention_flops",
            words(List.of("full", "causal")),
            "full",
            "causal counts half of the score and value products."),
        optional(
            "training.fused",
            onlyFlag("true", "false"),
            "true",
            "Fused norms, activation functions and cross-entropy."),
        optional(
            "training.context_parallel",
            words(List.of("all-gather"), "ring", "ulysses"),
            "all-gather",
            "How cp exchanges keys and values."),
        optional("training.dropout", onlyFlag("false", "true"), "false", "Dropout masks."),
        optional(
            "training.grad_clip",
            onlyFlag("false", "true"),
            "false",
            "One all-reduce of a scalar over all ranks per step."),
        optional(
            "training.bucket_mb",
            words(List.of("none"), NUMBER),
            "none",
            "Size of gradient buckets; none: one collective per layer."),
        optional("training.prefetch", numbers("1"), "1", "ZeRO-3: units gathered ahead."),
        optional(
            "training.offload",
            words(List.of("none"), "optimizer", "activations"),
            "none",
            "What is moved to host memory."),
        optional(
            "training.expert_load",
            words(List.of("uniform"), MAP),
            "uniform",
            "Tokens per expert."),
        optional(
            "training.expert_capacity",
            words(List.of("none"), MAP),
            "none",
            "Capacity of experts; none: dropless."),
        optional(
            "training.expert_tp",
            words(List.of("as tp"), NUMBER),
            "as tp",
            "Tensor parallelism of the experts."));
  }

  private static List<Key> surroundings() {
    KeyType device = new OneOf(Node.Form.WORD, HardwarePresets.NAMES, List.of(), List.of());
    return List.of(
        dependent(
            "hardware", new Section(false, device), "none", "A preset, or a device in numbers."),
        required(
            "hardware.peak_tflops",
            new Section(false, null),
            "Dense matrix throughput by data type, 10^12 FLOP/s."),
        dependent("hardware.peak_tflops.fp8", RATE, "none", "With 8-bit floats."),
        dependent("hardware.peak_tflops.bf16", RATE, "none", "With bfloat16."),
        dependent("hardware.peak_tflops.fp16", RATE, "none", "With half precision."),
        dependent("hardware.peak_tflops.fp32", RATE, "none", "With single precision."),
        required("hardware.memory_gb", RATE, "Memory, 10^9 bytes."),
        required("hardware.memory_gb_per_s", RATE, "Memory bandwidth, 10^9 bytes a second."),
        dependent(
            "network",
            new ListOf(false),
            "by hardware preset",
            "Network dimensions, innermost first; sizes multiply to the devices. Read by exporters only."),
        dependent("network[]", new Section(false, null), "none", "A dimension."),
        required(
            "network[].topology",
            words(List.of("ring", "switch", "fully-connected")),
            "How its devices are joined."),
        required("network[].size", new Whole(2, DEVICES), "Devices along it."),
        required("network[].gb_per_s", RATE, "Bandwidth of a device into it, 10^9 bytes a second."),
        optional(
            "network[].latency_ns", new Decimal(true, 1e9), "0", "Latency of a hop, nanoseconds."),
        dependent(
            "exports", new ListOf(true), "[chakra]", "What to write: names, or maps with options."),
        dependent(
            "exports[]",
            new Section(true, NAME),
            "none",
            "The name of an exporter, or a map with its options."),
        required("exports[].to", NAME, "The name of the exporter; other keys are its options."));
  }

  private static OneOf words(List<String> now, String... later) {
    return new OneOf(Node.Form.WORD, now, List.of(later), List.of());
  }

  private static OneOf words(List<String> now, Planned planned) {
    return words(now, List.of(), planned);
  }

  private static OneOf words(List<String> now, List<String> later, Planned planned) {
    return new OneOf(Node.Form.WORD, now, later, List.of(planned));
  }

  private static OneOf numbers(String now, String... later) {
    List<Planned> more = later.length == 0 ? List.of(NUMBER) : List.of();
    return new OneOf(Node.Form.WHOLE, List.of(now), List.of(later), more);
  }

  private static OneOf flag() {
    return new OneOf(Node.Form.FLAG, List.of("true", "false"), List.of(), List.of());
  }

  private static OneOf onlyFlag(String now, String later) {
    return new OneOf(Node.Form.FLAG, List.of(now), List.of(later), List.of());
  }
}
