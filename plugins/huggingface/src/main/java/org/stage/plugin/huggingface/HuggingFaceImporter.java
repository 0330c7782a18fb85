package org.stage.plugin.huggingface;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pf4j.Extension;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.api.keys.WorkloadKeys;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ModelImporter;
import org.stage.plugin.huggingface.format.Config;
import org.stage.plugin.huggingface.format.ConfigException;
import org.stage.plugin.huggingface.format.ConfigProbe;
import org.stage.plugin.huggingface.format.ConfigText;

/** Reads the {@code config.json} of a Hugging Face repository. */
@Extension
public final class HuggingFaceImporter implements ModelImporter {
  private static final String MODEL_TYPE = "model_type";
  private static final String ARCHITECTURES = "architectures";
  private static final String ORIGIN = "_name_or_path";

  @Override
  public String name() {
    return "huggingface";
  }

  @Override
  public String description() {
    return "config.json of a Hugging Face repository";
  }

  @Override
  public Capabilities capabilities() {
    return Capabilities.nothing().withFiles("config.json");
  }

  @Override
  public boolean accepts(Path file) throws IOException {
    return ConfigProbe.looksLikeConfig(file);
  }

  @Override
  public Imported read(Path file) {
    Path source = file;
    try {
      source = ConfigText.locate(file);
      Config config = Config.read(source);
      return translated(source, config);
    } catch (ConfigException e) {
      String where = e.key().isEmpty() ? source.toString() : source + ", " + e.key();
      throw new InputException(where, e.problem(), e.remedy());
    }
  }

  private static Imported translated(Path source, Config config) throws ConfigException {
    List<Diagnostic> notes = new ArrayList<>();
    Family family = family(source, config, notes);
    GraphKeys.check(config, family);
    ConfigKeys reader = new ConfigKeys(config, family);
    String origin = config.has(ORIGIN) ? config.word(ORIGIN) : "";
    WorkloadKeys keys = reader.model(ModelName.of(source, origin, family.modelType()));
    List<String> defaults = reader.defaults();
    if (!defaults.isEmpty()) {
      notes.add(
          note(
              source,
              "does not say everything; by the defaults of "
                  + family.modelType()
                  + ": "
                  + String.join(", ", defaults)));
    }
    unused(source, config, family, notes);
    return new Imported(keys, notes);
  }

  private static Family family(Path source, Config config, List<Diagnostic> notes)
      throws ConfigException {
    List<String> architectures = config.words(ARCHITECTURES);
    if (config.has(MODEL_TYPE)) {
      Family family = byModelType(config.word(MODEL_TYPE));
      for (String architecture : architectures) {
        if (!family.builds(architecture)) {
          throw new ConfigException(
              ARCHITECTURES,
              Config.quoted(architecture) + " is not the language model of " + family.modelType(),
              "Available for it: " + family.architecture() + ".");
        }
      }
      return family;
    }
    if (architectures.isEmpty()) {
      throw new ConfigException(
          MODEL_TYPE, "is missing, which names the family", Family.available());
    }
    String architecture = architectures.get(0);
    Optional<Family> family = Family.ofArchitecture(architecture);
    if (family.isEmpty()) {
      throw new ConfigException(
          ARCHITECTURES,
          Config.quoted(architecture) + " is of no family of this version",
          Family.available());
    }
    notes.add(
        note(source, "does not say model_type; by architectures: " + family.get().modelType()));
    return family.get();
  }

  private static Family byModelType(String modelType) throws ConfigException {
    Optional<Family> family = Family.of(modelType);
    if (family.isPresent()) {
      return family.get();
    }
    Optional<String> lack = Optional.ofNullable(Families.UNBUILT.get(modelType));
    throw new ConfigException(
        MODEL_TYPE,
        lack.isPresent()
            ? modelType + " needs what is not available in this version: " + lack.get()
            : Config.quoted(modelType) + " is no family of this version",
        Family.available());
  }

  /** What makes a difference elsewhere, and none here. */
  private static void unused(Path source, Config config, Family family, List<Diagnostic> notes) {
    boolean windowed =
        config.mentions("use_sliding_window")
            ? !config.isOff("use_sliding_window")
            : family.usesItsWindow();
    if (windowed && !config.isOff("sliding_window")) {
      notes.add(
          note(
              source,
              "has sliding_window "
                  + config.shown("sliding_window")
                  + ", which is not used: attention is over the whole sequence"));
    }
    if (family.leavesOutPrediction() && !config.isOff("num_nextn_predict_layers")) {
      notes.add(
          note(
              source,
              "has num_nextn_predict_layers "
                  + config.shown("num_nextn_predict_layers")
                  + ", which is not used: the model is without layers for multi-token prediction"));
    }
    if (!config.isOff("quantization_config")) {
      notes.add(
          note(
              source,
              "has quantization_config, which is not used: the workload file says the precision"));
    }
  }

  private static Diagnostic note(Path source, String message) {
    return new Diagnostic(Severity.NOTE, source.toString(), message, "");
  }
}
