package org.stage.backend.simai;

import org.stage.testkit.PluginJarContract;

class PluginJarIT extends PluginJarContract {}
