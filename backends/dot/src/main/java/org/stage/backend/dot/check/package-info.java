/** Checks drawings as Graphviz reads them. */
@NullMarked
package org.stage.backend.dot.check;

import org.jspecify.annotations.NullMarked;
