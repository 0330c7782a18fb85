package org.stage.module;

import java.util.Map;
import java.util.Set;
import org.stage.api.graph.Module;

/** The library's modules; layers have a dense feed-forward network. */
public final class Modules {
  private Modules() {}

  /**
   * Builds a module.
   *
   * @param features what holds of it; with {@code latent_attention} layers have that
   */
  public static Module of(String name, Set<String> features) {
    boolean latent = features.contains("latent_attention");
    String mixer = latent ? "latent_attention" : "attention";
    return ModuleLibrary.standard()
        .build(name, features, Map.of("mixer", mixer, "feed_forward", "mlp"));
  }
}
