/** Symbols to numbers, modules to execution graphs: one graph for each class of ranks. */
@NullMarked
package org.stage.instantiate;

import org.jspecify.annotations.NullMarked;
