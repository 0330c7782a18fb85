package org.stage.backend.simai;

import org.stage.testkit.LayersContract;

final class ArchitectureTest extends LayersContract {}
