/**
 * The order of micro-batches on each pipeline rank.
 *
 * <p>Input: a {@link org.stage.schedule.Schedule} and its number of ranks and micro-batches.
 * Output: for each rank its turns, and when they run with given costs. Invariant: the order ends
 * whatever the costs; every micro-batch passes each position once forward and once backward.
 */
@NullMarked
package org.stage.schedule;

import org.jspecify.annotations.NullMarked;
