/**
 * Sums of whole numbers that throw rather than wrap around: a negative size is worse than no
 * answer.
 */
@NullMarked
package org.stage.arithmetic;

import org.jspecify.annotations.NullMarked;
