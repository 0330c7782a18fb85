/**
 * Translates workloads into what Genie needs to drive a real network: traces with durations, and
 * the files of a run.
 */
@NullMarked
package org.stage.backend.genie;

import org.jspecify.annotations.NullMarked;
