/**
 * What was asked for, as a domain and not as a file: a model, a mesh, a strategy and a step.
 *
 * <p>Input: values that {@code workloadfile}, or a caller in Java, has read. Output: an immutable
 * {@link org.stage.job.Job}, in which every value that a file says can be traced to its {@link
 * org.stage.job.Origin}. Invariant: values are complete and in their ranges; whether a graph can be
 * split by them is said by the rooms that know graphs.
 */
@NullMarked
package org.stage.job;

import org.jspecify.annotations.NullMarked;
