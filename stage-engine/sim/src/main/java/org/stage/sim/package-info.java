/**
 * When each node of each rank runs: costs, ranks that behave alike, and the simulation of those.
 */
@NullMarked
package org.stage.sim;

import org.jspecify.annotations.NullMarked;
