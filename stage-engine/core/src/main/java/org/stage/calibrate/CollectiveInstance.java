package org.stage.calibrate;

import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;

/**
 * One collective as several ranks measured it. A rank's duration is waiting and transfer, so the
 * shortest is nearest to what the transfer took.
 *
 * @param kind what it is
 * @param operator how the rank with the shortest duration describes it
 * @param ranks how many ranks measured it
 * @param minNs the shortest duration, nanoseconds
 * @param maxNs the longest duration, nanoseconds
 */
public record CollectiveInstance(
    Kind kind, MeasuredOperator operator, int ranks, long minNs, long maxNs) {}
