/** Translates workloads into timelines of their schedule, by simulating all ranks. */
@NullMarked
package org.stage.backend.timeline;

import org.jspecify.annotations.NullMarked;
