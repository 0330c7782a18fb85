/**
 * Measured times: profiles of several ranks put together, and their durations onto the operators of
 * a job, before any rank is instantiated.
 *
 * <p>Input: a {@link org.stage.plan.JobPlan} and {@link org.stage.calibrate.KnownTimes}. Output:
 * the plan with durations and a report; or a device and a network fitted to profiles. Invariant:
 * equal work takes what it took, similar work a share of it, and what was not measured keeps its
 * estimate; the report says which is which, and how far it is to be trusted.
 */
@NullMarked
package org.stage.calibrate;

import org.jspecify.annotations.NullMarked;
