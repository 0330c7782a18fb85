/**
 * The step as data: symbols to numbers, and the actions of each pipeline stage.
 *
 * <p>Input: a {@link org.stage.job.Job} and its {@link org.stage.model.ModelGraph}. Output: {@link
 * org.stage.plan.JobPlan} with a {@link org.stage.plan.StepPlan} for each stage; emission,
 * counting, memory and calibration add up its actions. Invariant: a step plan depends on the job
 * alone, and holds an action once for all layers, micro-batches and ranks that do it.
 */
@NullMarked
package org.stage.plan;

import org.jspecify.annotations.NullMarked;
