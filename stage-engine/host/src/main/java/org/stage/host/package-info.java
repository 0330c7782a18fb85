/** Finds, isolates and checks plugins. */
@NullMarked
package org.stage.host;

import org.jspecify.annotations.NullMarked;
