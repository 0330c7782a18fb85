package org.stage.plugin.pytorchet;

import org.stage.testkit.PluginJarContract;

class PluginJarIT extends PluginJarContract {}
