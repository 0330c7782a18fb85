/**
 * What the tests of a plugin extend: {@link org.stage.testkit.ExporterContract} for each exporter,
 * {@link org.stage.testkit.ProfileImporterContract}, {@link
 * org.stage.testkit.ModelImporterContract}, {@link org.stage.testkit.WorkloadImporterContract} and
 * {@link org.stage.testkit.ValidatorContract} for what reads, {@link
 * org.stage.testkit.TransformContract} for what rewrites the symbolic graph, {@link
 * org.stage.testkit.PluginJarContract} for the packed JAR; and what they are made of: calls as the
 * host makes them ({@link org.stage.testkit.TestExport}, {@link org.stage.testkit.TestImport},
 * {@link org.stage.testkit.TestValidation}) and workloads ({@link org.stage.testkit.Corpus}).
 */
@NullMarked
package org.stage.testkit;

import org.jspecify.annotations.NullMarked;
