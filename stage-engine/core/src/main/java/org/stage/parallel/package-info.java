/**
 * The device mesh, sharding rules and placements; collectives derived from changes of placement.
 */
@NullMarked
package org.stage.parallel;

import org.jspecify.annotations.NullMarked;
