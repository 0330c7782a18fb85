package org.stage.backend.chakra;

import org.stage.testkit.PluginJarContract;

class PluginJarIT extends PluginJarContract {}
