/**
 * Step plans to execution graphs: one graph for each class of ranks.
 *
 * <p>Input: a {@link org.stage.plan.JobPlan} and {@link org.stage.plan.Durations}. Output: rank
 * classes that build their graphs when asked. Invariant: the order of communication is the same on
 * all members of a group and cannot deadlock; each action of the plan is added as often as it says,
 * and nothing else.
 */
@NullMarked
package org.stage.emit;

import org.jspecify.annotations.NullMarked;
