package org.stage.spec;

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
import org.stage.spec.Training.EmbeddingOutput;
import org.stage.spec.Training.OptimizerKind;
import org.stage.spec.Training.ScheduleKind;
import org.stage.spec.WorkloadSpec.Export;

class ExamplesTest {
  static final Path EXAMPLES = Path.of("..", "..", "examples");

  @Test
  void theExampleOfTheManualIsRead() {
    WorkloadSpec spec = WorkloadReader.read(EXAMPLES.resolve("llama-3.1-8b.yaml"), List.of());

    assertThat(spec.name()).isEqualTo("workload");
    assertThat(spec.model().name()).isEqualTo("llama-3.1-8b");
    assertThat(spec.mesh())
        .isEqualTo(
            new Mesh(List.of(new MeshAxis("tp", 4), new MeshAxis("dp", 4), new MeshAxis("pp", 2))));
    assertThat(spec.training())
        .isEqualTo(
            new Training(
                64,
                1,
                16,
                8192,
                new Precision(DataType.BF16, DataType.BF16, DataType.FP32),
                false,
                true,
                ScheduleKind.ONE_F_ONE_B,
                1,
                List.of(16, 16),
                true,
                Training.ContextParallel.ALL_GATHER,
                false,
                EmbeddingOutput.REDUCE_SCATTER,
                false,
                Training.Recompute.NONE,
                RecomputedModules.NONE,
                ExpertStrategy.uniform(4),
                OptimizerKind.ADAM,
                new Training.Sharding(1, 4, 1, 0),
                128512, // 251 x 512
                false,
                new Conventions(Conventions.Regather.LAYERS, false, false),
                Training.Offload.NONE,
                false));
    assertThat(spec.hardware().orElseThrow().peakTflops()).containsEntry("bf16", 989.0);
    assertThat(spec.network())
        .containsExactly(
            new NetworkDimension(Topology.SWITCH, 8, 450, 500),
            new NetworkDimension(Topology.SWITCH, 4, 50, 2000));
    assertThat(spec.exports()).containsExactly(new Export("chakra", Map.of()));
  }

  @Test
  void theFirstStagesGetTheLayersThatRemain() {
    WorkloadSpec spec = WorkloadReader.read(EXAMPLES.resolve("llama-3.1-405b-16k.yaml"), List.of());

    assertThat(spec.mesh().devices()).isEqualTo(16384);
    assertThat(spec.training().microBatches()).isEqualTo(16);
    assertThat(spec.training().layersPerStage())
        .containsExactly(8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7, 7);
  }

  @Test
  void learnedPositionsLetTheEmbeddingAllReduce() {
    WorkloadSpec spec = WorkloadReader.read(EXAMPLES.resolve("gpt-3-175b.yaml"), List.of());

    assertThat(spec.training().embeddingOutput()).isEqualTo(EmbeddingOutput.ALL_REDUCE);
    assertThat(spec.training().paddedVocab()).isEqualTo(51200); // 50 x 1024
    assertThat(spec.training().microBatches()).isEqualTo(64);
  }

  @Test
  void anInlineModelTakesTheConventionsOfItsFamily() {
    WorkloadSpec spec = WorkloadReader.read(EXAMPLES.resolve("dense-tiny.yaml"), List.of());

    assertThat(spec.model().headDim()).isEqualTo(64);
    assertThat(spec.model().positions()).isZero();
    assertThat(spec.model().tied()).isFalse();
    assertThat(spec.network()).containsExactly(new NetworkDimension(Topology.SWITCH, 8, 450, 500));
  }
}
