/**
 * The front of the engine: from a job to its analysis and its workload.
 *
 * <p>Input: a {@link org.stage.job.Job}, and durations where they are known. Output: {@link
 * org.stage.engine.Synthesis}. Invariant: the graph of the model is built once.
 */
@NullMarked
package org.stage.engine;

import org.jspecify.annotations.NullMarked;
