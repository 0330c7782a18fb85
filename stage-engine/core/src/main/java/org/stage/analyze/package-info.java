/**
 * Parameters, FLOPs, traffic and memory of a job, without instantiating a rank.
 *
 * <p>Input: a {@link org.stage.plan.JobPlan}. Output: {@link org.stage.analyze.Analysis} and {@link
 * org.stage.analyze.MemoryTimeline} for each class of ranks. Invariant: they equal what the nodes
 * of the class's graph add up to.
 */
@NullMarked
package org.stage.analyze;

import org.jspecify.annotations.NullMarked;
