/** Checks Chakra trace sets the way ASTRA-sim would read and run them. */
@NullMarked
package org.stage.backend.chakra.check;

import org.jspecify.annotations.NullMarked;
