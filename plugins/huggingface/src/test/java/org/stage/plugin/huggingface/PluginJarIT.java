package org.stage.plugin.huggingface;

import org.stage.testkit.PluginJarContract;

class PluginJarIT extends PluginJarContract {}
