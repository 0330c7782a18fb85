package org.stage.calibrate;

import org.stage.api.profile.MeasuredOperator.Kind;

/**
 * One collective as several ranks measured it. A rank's duration is waiting and transfer, so the
 * shortest is nearest to what the transfer took.
 *
 * @param kind what it is
 * @param minNs the shortest duration, nanoseconds
 */
public record CollectiveInstance(Kind kind, long minNs) {}
