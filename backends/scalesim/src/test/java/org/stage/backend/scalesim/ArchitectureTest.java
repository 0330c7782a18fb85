package org.stage.backend.scalesim;

import org.stage.testkit.LayersContract;

final class ArchitectureTest extends LayersContract {}
