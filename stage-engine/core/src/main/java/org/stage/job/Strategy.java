package org.stage.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the parts of a model live on the mesh, beyond its degrees.
 *
 * @param tensor how tensor parallelism splits what stands between its products
 * @param context how context-parallel ranks exchange keys and values
 * @param pipeline how layers and micro-batches are laid on pipeline ranks
 * @param experts how experts are split, and how many rows they have
 * @param rules mesh axes by logical axis, over the usual rules
 */
public record Strategy(
    TensorParallelism tensor,
    ContextParallelism context,
    PipelineParallelism pipeline,
    ExpertStrategy experts,
    Map<String, List<String>> rules) {
  /** Copies the map, keeping its order. */
  public Strategy {
    rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
  }

  /** Whether tensor-parallel ranks dispatch the tokens of their own parts of sequences. */
  public boolean dispatchesParts() {
    return tensor.sequenceParallel() && !experts.wholeTokens();
  }
}
