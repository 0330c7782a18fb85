/** The files of SCALE-Sim v2 and v3 as text, and the cycles that a systolic array takes. */
@NullMarked
package org.stage.backend.scalesim.format;

import org.jspecify.annotations.NullMarked;
