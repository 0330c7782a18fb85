/** Checks timelines as viewers of the Trace Event Format read them. */
@NullMarked
package org.stage.backend.timeline.check;

import org.jspecify.annotations.NullMarked;
