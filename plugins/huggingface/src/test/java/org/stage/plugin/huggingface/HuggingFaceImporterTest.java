package org.stage.plugin.huggingface;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.model.ModelDescription;
import org.stage.api.model.ModelDescription.Activation;
import org.stage.api.model.ModelDescription.Norm;
import org.stage.api.plugin.ModelImporter.Imported;

class HuggingFaceImporterTest {
  private final HuggingFaceImporter importer = new HuggingFaceImporter();

  @TempDir Path folder;

  @Test
  void aConfigurationThatSaysEverythingIsReadWithoutANote() {
    Imported imported = read(Configs.llama(""));

    assertThat(imported.notes()).isEmpty();
    assertThat(imported.model())
        .isEqualTo(
            new ModelDescription(
                "tiny",
                4,
                512,
                8,
                2,
                64,
                1536,
                32000,
                0,
                Norm.RMSNORM,
                Activation.SWIGLU,
                false,
                false,
                false,
                false));
  }

  @Test
  void whatIsNotSaidIsTheFamilysDefaultAndNoted() {
    Imported imported = read("{\"model_type\": \"mistral\"}");

    ModelDescription model = imported.model();
    assertThat(List.of(model.layers(), model.hidden(), model.heads(), model.kvHeads()))
        .containsExactly(32, 4096, 32, 8);
    assertThat(List.of(model.headDim(), model.ffn(), model.vocab()))
        .containsExactly(128, 14336, 32000);
    assertThat(model.tied()).isFalse();
    assertThat(imported.notes()).hasSize(1);
    Diagnostic note = imported.notes().get(0);
    assertThat(note.severity()).isEqualTo(Severity.NOTE);
    assertThat(note.toString())
        .startsWith(folder.resolve("tiny.json").toString())
        .contains("by the defaults of mistral: hidden_act silu, num_hidden_layers 32, ")
        .contains("num_key_value_heads 8, head_dim 128");
  }

  @Test
  void qwen2HasBiasesOnQueriesKeysAndValuesOnly() {
    ModelDescription model =
        read(Configs.llama("model_type=\"qwen2\"; -architectures; -attention_bias")).model();

    assertThat(model.qkvBias()).isTrue();
    assertThat(model.bias()).isFalse();
  }

  @Test
  void gpt2HasLearnedPositionsLayerNormsAndBiasesAndATiedHead() {
    ModelDescription model =
        read("{\"model_type\": \"gpt2\", \"n_embd\": 1600, \"n_head\": 25, \"n_layer\": 48}")
            .model();

    assertThat(model.positions()).isEqualTo(1024);
    assertThat(model.ffn()).isEqualTo(6400);
    assertThat(model.kvHeads()).isEqualTo(25);
    assertThat(model.headDim()).isEqualTo(64);
    assertThat(model.norm()).isEqualTo(Norm.LAYERNORM);
    assertThat(model.activation()).isEqualTo(Activation.GELU);
    assertThat(model.bias()).isTrue();
    assertThat(model.tied()).isTrue();
  }

  @Test
  void gpt2MayAlsoBeWrittenWithLlamasNames() {
    assertThat(read("{\"model_type\": \"gpt2\", \"hidden_size\": 1200}").model().hidden())
        .isEqualTo(1200);
  }

  @ParameterizedTest
  @CsvSource({"true, 1", "false, 12"})
  void gptBigcodeHasOneKeyValueHeadUnlessItSaysOtherwise(boolean multiQuery, int kvHeads) {
    assertThat(
            read("{\"model_type\": \"gpt_bigcode\", \"multi_query\": " + multiQuery + "}")
                .model()
                .kvHeads())
        .isEqualTo(kvHeads);
  }

  @Test
  void cohereIsAParallelBlockOnNormsWithoutBiases() {
    ModelDescription model = read("{\"model_type\": \"cohere\"}").model();

    assertThat(model.parallelBlock()).isTrue();
    assertThat(model.norm()).isEqualTo(Norm.LAYERNORM);
    assertThat(model.bias()).isFalse();
    assertThat(model.tied()).isTrue();
  }

  @Test
  void starcoder2HasRotaryPositionsAndBiases() {
    ModelDescription model = read("{\"model_type\": \"starcoder2\"}").model();

    assertThat(model.positions()).isZero();
    assertThat(model.bias()).isTrue();
    assertThat(model.kvHeads()).isEqualTo(2);
  }

  @Test
  void aLlamaMayHaveBiasesOnAllProjections() {
    ModelDescription model = read(Configs.llama("attention_bias=true; mlp_bias=true")).model();

    assertThat(model.bias()).isTrue();
    assertThat(model.qkvBias()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "num_key_value_heads=null, 8, 64",
    "-num_key_value_heads, 8, 64",
    "head_dim=null, 2, 64",
    "head_dim=128, 2, 128"
  })
  void headsFollowFromOneAnother(String edit, int kvHeads, int headDim) {
    ModelDescription model = read(Configs.llama(edit)).model();

    assertThat(model.kvHeads()).isEqualTo(kvHeads);
    assertThat(model.headDim()).isEqualTo(headDim);
  }

  @Test
  void theFamilyIsKnownByItsArchitectureToo() {
    Imported imported = read(Configs.llama("-model_type"));

    assertThat(imported.model().layers()).isEqualTo(4);
    assertThat(imported.notes()).hasSize(1);
    assertThat(imported.notes().get(0).message()).contains("model_type; by architectures: llama");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "num_experts=0",
        "kv_lora_rank=null",
        "layer_types=[\"full_attention\", \"sliding_attention\"]",
        "is_encoder_decoder=false",
        "pruned_heads={}",
        "rope_scaling={\"type\": \"yarn\", \"factor\": Infinity}",
        "max_position_embeddings=-1",
        "quantization_config=null",
        "architectures=[\"LLaMAForCausalLM\"]",
        "anything=[[[[1]]]]"
      })
  void whatDoesNotChangeTheGraphIsIgnored(String edit) {
    assertThat(read(Configs.llama(edit)))
        .isEqualTo(new Imported(read(Configs.llama("")).model(), List.of()));
  }

  @Test
  void whatIsLeftOutAndMattersElsewhereIsNoted() {
    Imported imported =
        read(Configs.llama("sliding_window=4096; quantization_config={\"quant_method\": \"fp8\"}"));

    assertThat(imported.notes()).extracting(Diagnostic::severity).containsOnly(Severity.NOTE);
    assertThat(imported.notes())
        .extracting(Diagnostic::message)
        .satisfiesExactly(
            window -> assertThat(window).startsWith("has sliding_window 4096, which is not used"),
            format -> assertThat(format).startsWith("has quantization_config"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sliding_window=4096; use_sliding_window=false", "sliding_window=null"})
  void aWindowThatIsOffIsNotNoted(String edits) {
    assertThat(read(Configs.llama(edits)).notes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "models/My Llama (v2)/config.json, My-Llama-v2",
    "models/Llama-2-7B.json, Llama-2-7B",
    "hub/models--meta-llama--Llama-3.1-8B/snapshots/0e9e39f249a16976/config.json, Llama-3.1-8B",
    "models/???/config.json, Qwen2.5-7B",
  })
  void theModelIsCalledAsItsFileOrFolder(String path, String name) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, Configs.llama("_name_or_path=\"Qwen/Qwen2.5-7B\""));

    assertThat(importer.read(file).model().name()).isEqualTo(name);
  }

  @Test
  void aFolderStandsForTheConfigurationInIt() throws IOException {
    Path inside = Files.createDirectory(folder.resolve("small"));
    Files.writeString(inside.resolve("config.json"), Configs.llama(""));

    assertThat(importer.accepts(inside)).isTrue();
    assertThat(importer.read(inside).model().name()).isEqualTo("small");
    assertThat(importer.accepts(folder)).isFalse();
  }

  @Test
  void aByteOrderMarkIsSkipped() {
    assertThat(read("\uFEFF" + Configs.llama("")).model().layers()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tiny.json | {\"model_type\": \"llama\"} | true",
        "tiny.txt | {\"a\": {\"b\": [1]}, \"architectures\": [ | true",
        "page.json | <!DOCTYPE html> | true",
        "pointer.json | version https://git-lfs.github.com/spec/v1 | true",
        "config.json | anything | true",
        "job.json | {\"model\": \"llama-3.1-8b\"} | false",
        "list.json | [{\"model_type\": 1}] | false",
        "args.yaml | model_type: llama | false",
        "empty.json | '' | false"
      })
  void aFileIsAcceptedByWhatItHolds(String name, String text, boolean accepted) throws IOException {
    assertThat(importer.accepts(Files.writeString(folder.resolve(name), text))).isEqualTo(accepted);
  }

  private Imported read(String text) {
    try {
      return importer.read(Files.writeString(folder.resolve("tiny.json"), text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
