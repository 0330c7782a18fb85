/** Reverse-mode differentiation of the symbolic graph. */
@NullMarked
package org.stage.backward;

import org.jspecify.annotations.NullMarked;
