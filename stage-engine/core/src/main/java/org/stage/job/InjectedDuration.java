package org.stage.job;

/**
 * A duration set by hand, which goes before every measurement and estimate.
 *
 * @param pattern the names that get it, without micro-batch
 * @param durationNs nanoseconds
 * @param origin where it is written
 */
public record InjectedDuration(NamePattern pattern, long durationNs, Origin origin) {}
