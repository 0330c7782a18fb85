package org.stage.workloadfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.api.workload.Precision;
import org.stage.job.ActivationCheckpointing;
import org.stage.job.Batch;
import org.stage.job.ContextParallelism;
import org.stage.job.ExpertStrategy;
import org.stage.job.Job;
import org.stage.job.LayerKernels;
import org.stage.job.Numerics;
import org.stage.job.Optimizer;
import org.stage.job.PipelineParallelism;
import org.stage.job.Shardings;
import org.stage.job.StateSharding;
import org.stage.job.Strategy;
import org.stage.job.TensorParallelism;
import org.stage.job.TensorParallelism.EmbeddingOutput;
import org.stage.job.TensorParallelism.WeightGradients;
import org.stage.job.Training;
import org.stage.schedule.OneForwardOneBackward;
import org.stage.workloadfile.WorkloadFile.Export;

class ExamplesTest {
  static final Path EXAMPLES = Path.of("..", "..", "examples");

  @Test
  void theExampleOfTheManualIsRead() {
    WorkloadFile file = WorkloadReader.read(EXAMPLES.resolve("llama-3.1-8b.yaml"), List.of());
    Job spec = file.job();

    assertThat(spec.name()).isEqualTo("workload");
    assertThat(spec.model().name()).isEqualTo("llama-3.1-8b");
    assertThat(spec.mesh())
        .isEqualTo(
            new Mesh(List.of(new MeshAxis("tp", 4), new MeshAxis("dp", 4), new MeshAxis("pp", 2))));
    assertThat(spec.training())
        .isEqualTo(
            new Training(
                new Batch(64, 1, 16, 8192),
                new Numerics(
                    new Precision(DataType.BF16, DataType.BF16, DataType.FP32), false, false),
                new LayerKernels(true, false, false),
                ActivationCheckpointing.NONE,
                Training.Offload.NONE,
                new StateSharding(1, 4, Shardings.atEnd(0), Shardings.GATHERED),
                new Optimizer(Optimizer.Kind.ADAM, true, false)));
    assertThat(spec.strategy())
        .isEqualTo(
            new Strategy(
                new TensorParallelism(
                    true,
                    EmbeddingOutput.REDUCE_SCATTER,
                    false,
                    false,
                    WeightGradients.OVERLAP,
                    false,
                    128512), // 251 x 512
                ContextParallelism.ALL_GATHER,
                new PipelineParallelism(new OneForwardOneBackward(), 1, List.of(16, 16)),
                ExpertStrategy.uniform(4),
                Map.of()));
    assertThat(spec.platform().hardware().orElseThrow().peakTflops()).containsEntry("bf16", 989.0);
    assertThat(spec.platform().network())
        .containsExactly(
            new NetworkDimension(Topology.SWITCH, 8, 450, 500, 0.8),
            new NetworkDimension(Topology.SWITCH, 4, 50, 2000, 0.95));
    assertThat(file.exports()).containsExactly(new Export("chakra", Map.of()));
  }

  @Test
  void theEndsOfAPipelineMayHaveALayerLess() {
    Job spec = WorkloadReader.read(EXAMPLES.resolve("llama-3.1-405b-16k.yaml"), List.of()).job();

    assertThat(spec.mesh().devices()).isEqualTo(16384);
    assertThat(spec.training().batch().microBatches()).isEqualTo(16);
    assertThat(spec.strategy().pipeline().layersPerStage())
        .containsExactly(7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7);
  }

  @Test
  void learnedPositionsLetTheEmbeddingAllReduce() {
    Job spec = WorkloadReader.read(EXAMPLES.resolve("gpt-3-175b.yaml"), List.of()).job();

    assertThat(spec.strategy().tensor().embeddingOutput()).isEqualTo(EmbeddingOutput.ALL_REDUCE);
    assertThat(spec.strategy().tensor().paddedVocab()).isEqualTo(51200); // 50 x 1024
    assertThat(spec.training().batch().microBatches()).isEqualTo(64);
  }

  @Test
  void anInlineModelTakesTheConventionsOfItsFamily() {
    Job spec = WorkloadReader.read(EXAMPLES.resolve("dense-tiny.yaml"), List.of()).job();

    assertThat(spec.model().sizes()).containsEntry("head_dim", 64L);
    assertThat(spec.model().positions()).isZero();
    assertThat(spec.model().tied()).isFalse();
    assertThat(spec.platform().network())
        .containsExactly(new NetworkDimension(Topology.SWITCH, 8, 450, 500, 0.8));
  }
}
