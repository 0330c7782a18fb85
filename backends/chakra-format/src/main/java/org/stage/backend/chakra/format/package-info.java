/** Chakra trace sets as bytes and files: reading, and writing many ranks from one encoding. */
@NullMarked
package org.stage.backend.chakra.format;

import org.jspecify.annotations.NullMarked;
