package org.stage.backend.chakra;

import org.stage.testkit.LayersContract;

final class ArchitectureTest extends LayersContract {}
