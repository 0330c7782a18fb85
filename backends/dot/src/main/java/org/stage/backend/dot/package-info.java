/** Translates the execution graph of one rank into a drawing. */
@NullMarked
package org.stage.backend.dot;

import org.jspecify.annotations.NullMarked;
