package org.stage.job;

import org.stage.job.StateSharding.Regather;

/**
 * How ranks get whole parameters of which each has updated, or keeps, a shard.
 *
 * @param overlaps whether something is computed meanwhile: what was updated is gathered at the
 *     beginning of the next step, and not at the end of this one
 * @param prefetch modules whose parameters are gathered ahead under ZeRO-3
 * @param regather which modules' parameters ZeRO-3 gathers again for backward
 * @param persistent parameters of fewer elements stay whole between steps under ZeRO-3
 */
public record ParameterGathering(
    boolean overlaps, int prefetch, Regather regather, long persistent) {}
