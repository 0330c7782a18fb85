/** Checks files of SCALE-Sim for what v2 and v3 would refuse, lose or misread. */
@NullMarked
package org.stage.backend.scalesim.check;

import org.jspecify.annotations.NullMarked;
