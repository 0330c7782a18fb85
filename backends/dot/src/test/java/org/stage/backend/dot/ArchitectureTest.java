package org.stage.backend.dot;

import org.stage.testkit.LayersContract;

final class ArchitectureTest extends LayersContract {}
