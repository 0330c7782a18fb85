/**
 * Parameters, gradients and optimizer states of a module: flat buffers that ranks share out, and
 * what becomes of them at which moment of a step.
 *
 * <p>Input: elements of each parameter on a device, and the reductions that placements ask for.
 * Output: {@link org.stage.state.ModuleStates}, whose actions gather, scatter, accumulate, reduce,
 * update, offload and reload. Invariant: names come from the buffer; ZeRO, hybrid sharding,
 * buckets, tied tables and mirrored modules are choices of such actions, and nothing else knows of
 * them.
 */
@NullMarked
package org.stage.state;

import org.jspecify.annotations.NullMarked;
