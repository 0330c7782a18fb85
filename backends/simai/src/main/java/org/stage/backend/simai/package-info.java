/** Translates workloads into SimAI's workload files. */
@NullMarked
package org.stage.backend.simai;

import org.jspecify.annotations.NullMarked;
