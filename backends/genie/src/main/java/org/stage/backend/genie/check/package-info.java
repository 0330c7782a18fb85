/** Checks folders for Genie: what its feeder would misread, and what would stop or hang a run. */
@NullMarked
package org.stage.backend.genie.check;

import org.jspecify.annotations.NullMarked;
