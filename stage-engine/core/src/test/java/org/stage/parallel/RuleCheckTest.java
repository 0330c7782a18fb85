package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.graph.Module;
import org.stage.job.Job;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.testkit.text.GraphTextParser;
import org.stage.workloadfile.WorkloadReader;

class RuleCheckTest {
  @TempDir private Path folder;

  /** Checks rules on a mesh; 8 heads, 4 of keys, sequences of 512. */
  private void check(String mesh, String training, String rules) throws IOException {
    String text =
        """
        model: {family: llama, layers: 2, hidden: 64, heads: 8, kv_heads: 4, ffn: 96, vocab: 1000}
        mesh: {%s}
        training: {global_batch: 16, seq: 512%s}
        rules: {%s}
        """
            .formatted(mesh, training, rules);
    Path file = Files.writeString(folder.resolve("w.yaml"), text);
    Job job = WorkloadReader.read(file, List.of()).job();
    RuleCheck.run(job, ModelGraph.of(job, ModuleLibrary.standard()), ModuleLibrary.standard());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dp: 2        | batch: tp           | rules.batch: lacks dp, along which mesh.dp splits it."
            + " Write [dp, tp].",
        "dp: 2, cp: 2 | seq: none           | rules.seq: lacks cp, along which mesh.cp splits it."
            + " Write [cp].",
        "cp: 2        | norm_seq: dp        | rules.norm_seq: lacks cp, along which mesh.cp splits"
            + " it. Write [cp, dp].",
        "cp: 2        | embed_seq: dp       | rules.embed_seq: lacks cp",
        "tp: 8, dp: 8 | mlp: [tp, dp]       | rules.mlp: mesh.tp x mesh.dp = 64 does not divide"
            + " mlp, which is 96. Nearest that do: 48, 96.",
        "tp: 8        | kv_heads_out: tp    | rules.kv_heads_out: mesh.tp = 8 does not divide"
            + " kv_heads_out, which is 4. Nearest that do: 4.",
        "tp: 4, dp: 4 | batch: [dp, tp]     | rules.batch: mesh.dp x mesh.tp = 16 does not divide"
            + " batch, which is 4.",
        "tp: 2        | expert: tp          | rules.expert: mesh.tp = 2 does not divide expert,"
            + " which is 1.",
        "tp: 4        | embed_in: tp        | rules.embed_in: tp shards both embed_in and heads_out"
            + " of",
        "tp: 4        | embed_in: tp        | Add heads_out: none, or map embed_in elsewhere.",
        "dp: 4        | embed_in: dp        | Remove it, as mesh.dp always splits batch;"
            + " training.zero: 3 shards parameters over dp and gathers them for products.",
        "dp: 4        | mlp: dp             | Remove it, as mesh.dp always splits batch;"
            + " training.zero: 3",
        "cp: 4        | mlp: cp             | Remove it, as mesh.cp always splits seq.",
        "tp: 4        | mlp: none, seq: tp  | rules.seq: tp shards both seq and"
      })
  void whatCannotBeSplitIsRefused(String mesh, String rules, String message) {
    assertThatThrownBy(() -> check(mesh, "", rules))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(message);
  }

  @Test
  void whereSequencesAreInTheWayTheirParallelismIsNamed() {
    assertThatThrownBy(() -> check("tp: 4", ", sequence_parallel: true", "residual: tp"))
        .hasMessageContaining(
            "tp shards both residual and embed_seq of e[batch, embed_seq, residual]")
        .hasMessageContaining("one device would hold only parts of the diagonal")
        .hasMessageContaining("Set training.sequence_parallel to false, or rules.embed_seq.");
  }

  /** The rows fsdp and hp of the paper's table of linear layers: weights are gathered. */
  @Test
  void theRemedyForParametersOverDataParallelismWorks() {
    assertThatCode(() -> check("dp: 4", ", zero: 3", "")).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tp: 4        | residual: tp, embed_in: tp, heads_out: none, kv_heads_out: none, mlp_out:"
            + " none",
        "tp: 8, dp: 2 | mlp: none",
        "dp: 2        | batch: dp",
        "dp: 1, tp: 2 | batch: none",
        "tp: 2, cp: 2 | norm_seq: [tp, cp]",
        "tp: 4        | kv_heads_out: tp",
        "tp: 2        | vocab: none"
      })
  void whatCanBeSplitIsNot(String mesh, String rules) {
    assertThatCode(() -> check(mesh, "", rules)).doesNotThrowAnyException();
  }

  @Test
  void aConflictNamesTheFirstTwoAxesOfItsTensor() {
    DeviceMesh mesh = DeviceMesh.of(Placed.mesh("dp 2, tp 2"), 4);
    ShardingRules rules =
        Standard.rules(Map.of("batch", List.of(0), "seq", List.of(1), "mlp", List.of(1)));
    Module module =
        GraphTextParser.parse(
            """
            module one
            axis batch, seq, mlp
            input x[batch, seq]
            parameter w[mlp]:weight
            up: y[batch, seq, mlp] = einsum(x[batch, seq], w[mlp])
            output y
            """);
    assertThat(RuleCheck.conflict(mesh, rules, module))
        .contains(new RuleCheck.Conflict("tp", "seq", "mlp", "y[batch, seq, mlp]"));
    assertThat(RuleCheck.conflict(mesh, Standard.rules(Map.of()), module)).isEmpty();
  }
}
