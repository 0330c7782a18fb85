package org.stage.app;

import java.util.List;
import org.stage.engine.Synthesis;
import org.stage.job.Model;
import org.stage.workloadfile.HardwarePresets;
import org.stage.workloadfile.Presets;
import org.stage.workloadfile.WorkloadReader;

/** What a workload file can name without a plugin, and its schema. */
public final class Catalogue {
  private Catalogue() {}

  /** All models, by name. */
  public static List<Presets.Preset> models() {
    return Presets.all();
  }

  /** Parameters of a model, the vocabulary unpadded. */
  public static long parameters(Model model) {
    return Synthesis.parameters(model);
  }

  /** Parameters of a model that one token meets. */
  public static long activeParameters(Model model) {
    return Synthesis.activeParameters(model);
  }

  /** All devices, by name. */
  public static List<HardwarePresets.Preset> devices() {
    return HardwarePresets.all();
  }

  /** The JSON Schema of workload files. */
  public static String schema() {
    return WorkloadReader.schema();
  }
}
