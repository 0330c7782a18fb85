package org.stage.instantiate;

import java.util.stream.IntStream;
import org.stage.api.workload.Phase;

/**
 * What a stretch of instructions belongs to.
 *
 * @param microBatch its micro-batch
 * @param phase its phase
 * @param after the node for which those kernels wait that need nothing of the stretch, or -1: else
 *     all layers would recompute as soon as the turn begins
 * @param from the first node of the stretch
 */
record Stretch(int microBatch, Phase phase, int after, int from) {
  boolean waits(int[] deps) {
    return after >= 0 && IntStream.of(deps).noneMatch(dep -> dep >= from);
  }

  String suffix() {
    return phase == Phase.RECOMPUTE ? ".recompute" : "";
  }
}
