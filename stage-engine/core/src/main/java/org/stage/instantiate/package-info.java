/**
 * Symbols to numbers, modules to execution graphs: one graph for each class of ranks.
 *
 * <p>Input: a {@link org.stage.job.Job}, its {@link org.stage.model.ModelGraph} and what is known
 * of durations. Output: {@link org.stage.instantiate.JobPlan}, from which analysis counts, and rank
 * classes that build their graphs when asked. Invariant: the order of communication is the same on
 * all members of a group and cannot deadlock; what is counted is what is emitted.
 */
@NullMarked
package org.stage.instantiate;

import org.jspecify.annotations.NullMarked;
