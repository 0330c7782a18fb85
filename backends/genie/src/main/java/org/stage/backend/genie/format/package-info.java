/** The files that Genie reads beside its traces. */
@NullMarked
package org.stage.backend.genie.format;

import org.jspecify.annotations.NullMarked;
