/** Measured times: profiles of several ranks put together. */
@NullMarked
package org.stage.calibrate;

import org.jspecify.annotations.NullMarked;
