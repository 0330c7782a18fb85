/** Files in the DOT language. Knows nothing of workloads. */
@NullMarked
package org.stage.backend.dot.format;

import org.jspecify.annotations.NullMarked;
