package org.stage.backend.genie;

import org.stage.testkit.LayersContract;

final class ArchitectureTest extends LayersContract {}
