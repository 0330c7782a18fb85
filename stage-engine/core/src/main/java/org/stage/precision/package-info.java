/** Matrix products on inputs of 8 bits. */
@NullMarked
package org.stage.precision;

import org.jspecify.annotations.NullMarked;
