/** Partition into pipeline stages, and the order of micro-batches on each. */
@NullMarked
package org.stage.schedule;

import org.jspecify.annotations.NullMarked;
