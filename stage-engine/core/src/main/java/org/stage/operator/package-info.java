/**
 * All that is known of an operator, in one place: what it computes on one device, along which axes
 * it can be split, its gradient, and what profilers call it.
 *
 * <p>Input: operators of a module. Output: {@link org.stage.operator.OperatorRules}, a catalogue
 * that differentiation, placement, counting, memory and calibration are given and ask. Invariant:
 * what these do with an operator follows from its rule; a new one is one more {@link
 * org.stage.operator.OperatorRule}.
 */
@NullMarked
package org.stage.operator;

import org.jspecify.annotations.NullMarked;
