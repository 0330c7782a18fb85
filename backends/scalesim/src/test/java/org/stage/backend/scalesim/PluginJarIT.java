package org.stage.backend.scalesim;

import org.stage.testkit.PluginJarContract;

class PluginJarIT extends PluginJarContract {}
