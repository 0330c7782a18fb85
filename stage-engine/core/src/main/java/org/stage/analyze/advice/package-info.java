/**
 * Strategies that are possible, but wasteful: why, and the nearest sensible setting.
 *
 * <p>Input: a job and its analysis. Output: warnings. Invariant: a rule looks at a job and changes
 * nothing; what is impossible was refused before.
 */
@NullMarked
package org.stage.analyze.advice;

import org.jspecify.annotations.NullMarked;
