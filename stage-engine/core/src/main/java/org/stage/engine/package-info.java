/** The front of the engine: from a checked workload file to its analysis and its workload. */
@NullMarked
package org.stage.engine;

import org.jspecify.annotations.NullMarked;
