/**
 * The device mesh, sharding rules and layouts; collectives derived from changes of layout.
 *
 * <p>Input: a forward graph, a {@link org.stage.parallel.DeviceMesh} and {@link
 * org.stage.parallel.ShardingRules}. Output: {@link org.stage.parallel.PlacedUnit}, both passes as
 * steps on one device, with sizes and costs as expressions. Invariant: executed on dense tensors,
 * the devices together compute what one device would.
 */
@NullMarked
package org.stage.parallel;

import org.jspecify.annotations.NullMarked;
