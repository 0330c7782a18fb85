/**
 * The workload file: YAML or JSON to a {@link org.stage.job.Job}.
 *
 * <p>Input: a file, values of the command line, and importers for models that it names by a path.
 * Output: the job, what to export, and which profiles to read; or all that is wrong, in the order
 * of the file. Invariant: no graph is built and no profile read here; each range and message of a
 * key comes from one table, each default from that or, of a model, from its family's file.
 */
@NullMarked
package org.stage.workloadfile;

import org.jspecify.annotations.NullMarked;
