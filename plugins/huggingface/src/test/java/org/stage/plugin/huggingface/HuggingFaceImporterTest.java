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
import org.stage.api.plugin.ModelImporter.Imported;

class HuggingFaceImporterTest {
  private final HuggingFaceImporter importer = new HuggingFaceImporter();

  @TempDir Path folder;

  @Test
  void aConfigurationThatSaysEverythingIsReadWithoutANote() {
    Imported imported = read(Configs.llama(""));

    assertThat(imported.notes()).isEmpty();
    assertThat(imported.keys())
        .hasToString(
            """
            model.name: tiny
            model.family: llama
            model.layers: 4
            model.hidden: 512
            model.heads: 8
            model.kv_heads: 2
            model.ffn: 1536
            model.vocab: 32000
            model.positions: 0
            model.norm: rmsnorm
            model.activation: swiglu
            model.bias: false
            model.tied: false
            model.parallel_block: false""");
  }

  @Test
  void whatIsNotSaidIsTheFamilysDefaultAndNoted() {
    Imported imported = read("{\"model_type\": \"mistral\"}");

    assertThat(typed(imported))
        .contains("model.layers: 32", "model.hidden: 4096", "model.heads: 32", "model.kv_heads: 8")
        .contains("model.ffn: 14336", "model.vocab: 32000", "model.tied: false");
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
    assertThat(typed(read(Configs.llama("model_type=\"qwen2\"; -architectures; -attention_bias"))))
        .contains("model.bias: false", "model.qkv_bias: true");
  }

  @Test
  void gpt2HasLearnedPositionsLayerNormsAndBiasesAndATiedHead() {
    assertThat(
            typed(
                read(
                    "{\"model_type\": \"gpt2\", \"n_embd\": 1600, \"n_head\": 25, \"n_layer\": 48}")))
        .contains("model.family: gpt", "model.positions: 1024", "model.norm: layernorm")
        .contains("model.bias: true", "model.tied: true", "model.activation: gelu")
        .contains("model.ffn: 6400", "model.kv_heads: 25")
        .noneMatch(key -> key.startsWith("model.head_dim"));
  }

  @Test
  void gpt2MayAlsoBeWrittenWithLlamasNames() {
    assertThat(typed(read("{\"model_type\": \"gpt2\", \"hidden_size\": 1200}")))
        .contains("model.hidden: 1200");
  }

  @ParameterizedTest
  @CsvSource({"true, 1", "false, 12"})
  void gptBigcodeHasOneKeyValueHeadUnlessItSaysOtherwise(boolean multiQuery, int kvHeads) {
    assertThat(
            typed(read("{\"model_type\": \"gpt_bigcode\", \"multi_query\": " + multiQuery + "}")))
        .contains("model.kv_heads: " + kvHeads);
  }

  @Test
  void cohereIsAParallelBlockOnNormsWithoutBiases() {
    assertThat(typed(read("{\"model_type\": \"cohere\"}")))
        .contains("model.family: palm", "model.parallel_block: true", "model.norm: layernorm")
        .contains("model.bias: false", "model.tied: true");
  }

  @Test
  void starcoder2HasRotaryPositionsAndBiases() {
    assertThat(typed(read("{\"model_type\": \"starcoder2\"}")))
        .contains("model.positions: 0", "model.bias: true", "model.kv_heads: 2");
  }

  @Test
  void aLlamaMayHaveBiasesOnAllProjections() {
    assertThat(typed(read(Configs.llama("attention_bias=true; mlp_bias=true"))))
        .contains("model.bias: true")
        .noneMatch(key -> key.startsWith("model.qkv_bias"));
  }

  @ParameterizedTest
  @CsvSource({"num_key_value_heads=null, 8", "-num_key_value_heads, 8", "head_dim=128, 2"})
  void thereAreAsManyKeyValueHeadsAsHeadsUnlessSaid(String edit, int kvHeads) {
    assertThat(typed(read(Configs.llama(edit)))).contains("model.kv_heads: " + kvHeads);
  }

  @ParameterizedTest
  @ValueSource(strings = {"head_dim=null", "-head_dim", "head_dim=64"})
  void theWidthOfAHeadIsLeftOutWhereItFollows(String edit) {
    assertThat(typed(read(Configs.llama(edit)))).noneMatch(key -> key.startsWith("model.head_dim"));
  }

  @Test
  void aWidthOfAHeadOfItsOwnIsSaid() {
    assertThat(typed(read(Configs.llama("head_dim=128")))).contains("model.head_dim: 128");
  }

  @Test
  void theFamilyIsKnownByItsArchitectureToo() {
    Imported imported = read(Configs.llama("-model_type"));

    assertThat(typed(imported)).contains("model.layers: 4");
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
        .isEqualTo(new Imported(read(Configs.llama("")).keys(), List.of()));
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

    assertThat(typed(importer.read(file))).contains("model.name: " + name);
  }

  @Test
  void aFolderStandsForTheConfigurationInIt() throws IOException {
    Path inside = Files.createDirectory(folder.resolve("small"));
    Files.writeString(inside.resolve("config.json"), Configs.llama(""));

    assertThat(importer.accepts(inside)).isTrue();
    assertThat(typed(importer.read(inside))).contains("model.name: small");
    assertThat(importer.accepts(folder)).isFalse();
  }

  @Test
  void aByteOrderMarkIsSkipped() {
    assertThat(typed(read("\uFEFF" + Configs.llama("")))).contains("model.layers: 4");
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

  private static List<String> typed(Imported imported) {
    return imported.keys().toString().lines().toList();
  }

  private Imported read(String text) {
    try {
      return importer.read(Files.writeString(folder.resolve("tiny.json"), text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
