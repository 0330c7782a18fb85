/**
 * What the tests of a plugin extend: {@link org.stage.testkit.ExporterContract} for each exporter,
 * {@link org.stage.testkit.PluginJarContract} for the packed JAR; and what they are made of.
 */
@NullMarked
package org.stage.testkit;

import org.jspecify.annotations.NullMarked;
