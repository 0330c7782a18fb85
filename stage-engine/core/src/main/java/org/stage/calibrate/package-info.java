/**
 * Measured times: profiles of several ranks put together, and their durations onto the operators of
 * a job, before any rank is instantiated. Equal work takes what it took, similar work a share of
 * it, and what was not measured keeps its estimate. A report says which is which, and how far it is
 * to be trusted.
 */
@NullMarked
package org.stage.calibrate;

import org.jspecify.annotations.NullMarked;
