/**
 * How long a kernel, collective, message or move to host memory takes by itself: the one place that
 * says so, for exporters and estimates alike.
 *
 * <p>Input: what is done, and the device and network of the job. Output: nanoseconds, or whole
 * picoseconds where durations are added up. Invariant: a duration depends on what is done and where
 * alone, never on what else runs at the time; what was measured goes before any model.
 *
 * <p>A new model of devices implements {@link org.stage.sim.cost.DeviceModel}, one of networks
 * {@link org.stage.sim.cost.NetworkModel}; which is used is decided in the {@code of} of each.
 */
@NullMarked
package org.stage.sim.cost;

import org.jspecify.annotations.NullMarked;
