package org.stage.backend.dot;

import org.stage.testkit.PluginJarContract;

class PluginJarIT extends PluginJarContract {}
