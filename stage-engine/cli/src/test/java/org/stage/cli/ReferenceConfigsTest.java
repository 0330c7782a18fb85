package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.keys.WorkloadKeys.Text;
import org.stage.engine.Synthesis;
import org.stage.plugin.huggingface.HuggingFaceImporter;
import org.stage.workloadfile.WorkloadReader;

/** Imported models have as many parameters as were published; others are refused by name. */
class ReferenceConfigsTest {
  private static final Set<String> BUILT =
      Set.of(
          "Llama-2-7B",
          "Llama-2-13B",
          "Llama-2-70B",
          "Llama-3.1-8B",
          "Llama-3.1-70B",
          "Llama-3.1-405B",
          "Llama-3.2-1B",
          "Mistral-7B",
          "Qwen2.5-7B",
          "Qwen2.5-72B",
          "DeepSeek-MoE-16B",
          "DeepSeek-R1",
          "DeepSeek-V2",
          "DeepSeek-V3",
          "Kimi-K2",
          "Mixtral-8x22B",
          "Mixtral-8x7B",
          "Qwen3-235B-A22B",
          "Qwen3-32B");

  /** Models whose counts stand in no reference but their published weights. */
  private static final Map<String, Long> PUBLISHED =
      Map.of(
          "Qwen3-8B", 8_190_735_360L,
          "Qwen3-30B-A3B", 30_532_122_624L);

  @TempDir Path folder;

  /** The counts of the weights that were published for these models. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"model_type\": \"gpt2\"} | 124439808",
        "{\"model_type\": \"gpt2\", \"n_embd\": 1600, \"n_head\": 25, \"n_layer\": 48} | 1557611200",
        "{\"model_type\": \"cohere\"} | 34980831232",
        "{\"model_type\": \"phi3\"} | 3821079552",
        "{\"model_type\": \"starcoder2\"} | 3030371328",
        "{\"model_type\": \"gpt_bigcode\", \"n_embd\": 6144, \"n_head\": 48, \"n_layer\": 40,"
            + " \"n_positions\": 8192, \"vocab_size\": 49152} | 15517456384",
        "{\"model_type\": \"qwen2\", \"hidden_size\": 896, \"intermediate_size\": 4864,"
            + " \"num_attention_heads\": 14, \"num_hidden_layers\": 24, \"num_key_value_heads\": 2,"
            + " \"tie_word_embeddings\": true} | 494032768",
      })
  void aFamilyHasThePublishedParameters(String config, long parameters) throws IOException {
    Path file = Files.writeString(folder.resolve("config.json"), config);

    assertThat(parametersOf(file)).isEqualTo(parameters);
  }

  @TestFactory
  List<DynamicTest> aReferenceModelHasItsParametersOrIsRefusedByName() throws IOException {
    Path reference = reference();
    Map<String, Long> parameters = parameters(reference);
    List<DynamicTest> tests = new ArrayList<>();
    configs(reference)
        .forEach(
            (name, file) ->
                tests.add(
                    DynamicTest.dynamicTest(name, () -> check(name, file, parameters.get(name)))));
    assertThat(tests).hasSizeGreaterThan(BUILT.size());
    return tests;
  }

  /** Where it is not said, a latent vector of queries has the width of DeepSeek-V2's. */
  @Test
  void aModelThatSaysItHasNoLatentQueriesHasNone() throws IOException {
    Path file = configs(reference()).get("DeepSeek-V2-Lite");
    String said = Files.readString(file).replaceFirst("\\{", "{\"q_lora_rank\": null,");
    Path config = Files.writeString(folder.resolve("config.json"), said);
    assertThat(parametersOf(config)).isEqualTo(15_706_484_224L);
    assertThat(parametersOf(file))
        .isEqualTo(15_706_484_224L + 27L * (2048 * 1536 + 1536 + (1536 - 2048) * 16 * 192));
  }

  /** Parameters of the model of a workload file that names {@code config}. */
  private long parametersOf(Path config) throws IOException {
    String job = "{model: " + config + ", training: {global_batch: 1, seq: 16}}";
    Path file = Files.writeString(folder.resolve("job.yaml"), job);
    return Synthesis.parameters(
        WorkloadReader.read(
                file, List.of(), (path, source) -> new HuggingFaceImporter().read(path).keys())
            .job()
            .model());
  }

  private void check(String name, Path file, Long parameters) throws IOException {
    HuggingFaceImporter importer = new HuggingFaceImporter();
    if (name.equals("DeepSeek-V2-Lite")) {
      return; // has a test of its own
    }
    if (BUILT.contains(name) || PUBLISHED.containsKey(name)) {
      Long expected = PUBLISHED.getOrDefault(name, parameters);
      assertThat(parametersOf(file)).isEqualTo(expected);
      assertThat(importer.read(file).keys().values()).containsEntry("model.name", new Text(name));
    } else {
      assertThatThrownBy(() -> importer.read(file))
          .isExactlyInstanceOf(InputException.class)
          .hasMessageStartingWith(file.toString())
          .hasMessageContaining("needs what is not available in this version");
    }
  }

  /** Data that not every checkout has beside it. */
  private static Path reference() {
    Path found = null;
    for (Path at = Path.of("").toAbsolutePath(); at != null && found == null; at = at.getParent()) {
      Path candidate = at.resolve("shared").resolve("reference");
      found = Files.isDirectory(candidate.resolve("hf")) ? candidate : null;
    }
    assumeTrue(found != null, "no reference data beside this checkout");
    return found;
  }

  private static Map<String, Path> configs(Path reference) throws IOException {
    Map<String, Path> configs = new TreeMap<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(reference.resolve("hf"), "*.json")) {
      for (Path file : files) {
        configs.put(file.getFileName().toString().replace(".json", ""), file);
      }
    }
    configs.remove("PROVENANCE");
    return configs;
  }

  private static Map<String, Long> parameters(Path reference) throws IOException {
    JsonNode models = new ObjectMapper().readTree(reference.resolve("models.json").toFile());
    Map<String, Long> parameters = new HashMap<>();
    models
        .properties()
        .forEach(
            model -> {
              JsonNode count = model.getValue().get("computed_total_params");
              if (count != null) {
                parameters.put(model.getKey(), count.longValue());
              }
            });
    return parameters;
  }
}
