/** Strategies that are possible, but wasteful: why, and the nearest sensible setting. */
@NullMarked
package org.stage.analyze.advice;

import org.jspecify.annotations.NullMarked;
