/** Files in the Trace Event Format. Knows nothing of workloads. */
@NullMarked
package org.stage.backend.timeline.format;

import org.jspecify.annotations.NullMarked;
