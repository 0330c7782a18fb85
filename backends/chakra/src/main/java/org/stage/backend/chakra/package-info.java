/** Writes Chakra execution traces. */
@NullMarked
package org.stage.backend.chakra;

import org.jspecify.annotations.NullMarked;
