/**
 * When each node of each rank runs in a step.
 *
 * <p>Input: the execution graphs of a job's rank classes, and what a node costs. Output: the times
 * of one rank of each set of ranks that run alike, in picoseconds. Invariant: times are those that
 * a simulation of every rank would give, and do not depend on the order in which nodes are looked
 * at.
 */
@NullMarked
package org.stage.sim;

import org.jspecify.annotations.NullMarked;
