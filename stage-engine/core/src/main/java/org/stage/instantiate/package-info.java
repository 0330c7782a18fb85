/** Rank classes, numbers for symbols, node ids. */
@NullMarked
package org.stage.instantiate;

import org.jspecify.annotations.NullMarked;
