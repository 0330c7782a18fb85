package org.stage.backend.timeline;

import org.stage.testkit.PluginJarContract;

class PluginJarIT extends PluginJarContract {}
