/**
 * Reverse-mode differentiation of the symbolic graph, and what backward computes again.
 *
 * <p>Input: a forward graph. Output: a backward graph from gradients of its outputs to gradients of
 * its inputs and parameters; a {@link org.stage.backward.Recomputation}. Invariant: each tensor
 * that a backward pass reads is an input, was kept, or is computed again.
 */
@NullMarked
package org.stage.backward;

import org.jspecify.annotations.NullMarked;
