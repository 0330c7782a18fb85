package org.stage.backend.timeline;

import org.stage.testkit.LayersContract;

final class ArchitectureTest extends LayersContract {}
