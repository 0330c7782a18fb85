package org.stage.backend.timeline;

import java.util.Map;

/** The profiles beside the timeline keep the contract too: one of each rank that is wanted. */
class KinetoContractTest extends TimelineExporterContractTest {
  @Override
  protected Map<String, String> options() {
    return Map.of("kineto", "true", "every-rank", "true");
  }
}
