package org.stage.example.csv;

import org.stage.testkit.PluginJarContract;

class PluginJarIT extends PluginJarContract {}
