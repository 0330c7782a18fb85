package org.stage.spec;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.NetworkDimension;
import org.stage.job.ModelDescription;
import org.stage.model.ModelGraph;
import org.stage.parallel.DeviceMesh;
import org.stage.parallel.ShardingRules;

/**
 * A workload file, complete and checked: every value is in its range and the degrees divide what
 * they split.
 *
 * @param source the file, for messages
 * @param name prefix of exported files
 * @param model the model in numbers
 * @param mesh axes {@code tp}, {@code dp}, {@code pp} in the order of the file, innermost first
 * @param training the training step
 * @param hardware the device, if it was named
 * @param network network dimensions, innermost first, multiplying to the devices; empty if not
 *     given and not known from the hardware
 * @param exports what to write
 * @param rules mesh axes by logical axis, over the usual rules
 * @param times durations that are known better than by an estimate
 */
public record WorkloadSpec(
    String source,
    String name,
    ModelDescription model,
    Mesh mesh,
    Training training,
    Optional<Hardware> hardware,
    List<NetworkDimension> network,
    List<Export> exports,
    Map<String, List<String>> rules,
    KnownTimes times) {
  /** Copies the lists. */
  public WorkloadSpec {
    network = List.copyOf(network);
    exports = List.copyOf(exports);
    rules = Map.copyOf(rules);
  }

  /** Which axes of {@code devices} shard which logical axis, by all that the file says. */
  public ShardingRules shardingRules(DeviceMesh devices) {
    return ShardingRules.of(
            devices,
            model.kvHeads(),
            training.sequenceParallel(),
            training.embeddingOutput() == Training.EmbeddingOutput.REDUCE_SCATTER,
            training.contextParallel(),
            rules)
        .withExpertTensorParallelism(devices, training.experts().tp());
  }

  /** The mesh as placements see it. */
  public DeviceMesh deviceMesh() {
    return DeviceMesh.of(mesh, model.kvHeads(), training.experts().tp());
  }

  /** What the model is built with. */
  public ModelGraph.Options modelOptions() {
    boolean ulysses =
        mesh.degree("cp") > 1 && training.contextParallel() == Training.ContextParallel.ULYSSES;
    return new ModelGraph.Options(
        training.flashAttention(),
        training.dropout(),
        ulysses,
        training.quantized(),
        training.gatesInActivation());
  }

  /** The same workload with known durations. */
  public WorkloadSpec with(KnownTimes known) {
    return new WorkloadSpec(
        source, name, model, mesh, training, hardware, network, exports, rules, known);
  }

  /** The same workload, all of whose activations are kept. */
  public WorkloadSpec withoutRecomputation() {
    return new WorkloadSpec(
        source,
        name,
        model,
        mesh,
        training.withoutRecomputation(),
        hardware,
        network,
        exports,
        rules,
        KnownTimes.NONE);
  }

  /**
   * One requested export.
   *
   * @param to name of the exporter
   * @param options its options as typed
   */
  public record Export(String to, Map<String, String> options) {
    /** Copies the map. */
    public Export {
      options = Map.copyOf(options);
    }
  }
}
