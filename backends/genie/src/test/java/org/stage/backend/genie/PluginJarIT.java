package org.stage.backend.genie;

import org.stage.testkit.PluginJarContract;

class PluginJarIT extends PluginJarContract {}
