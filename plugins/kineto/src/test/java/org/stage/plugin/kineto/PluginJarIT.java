package org.stage.plugin.kineto;

import org.stage.testkit.PluginJarContract;

class PluginJarIT extends PluginJarContract {}
