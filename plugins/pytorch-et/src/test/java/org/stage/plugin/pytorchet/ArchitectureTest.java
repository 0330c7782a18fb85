package org.stage.plugin.pytorchet;

import org.stage.testkit.LayersContract;

final class ArchitectureTest extends LayersContract {}
