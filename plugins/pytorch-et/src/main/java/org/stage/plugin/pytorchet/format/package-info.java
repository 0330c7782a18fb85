/** The bytes of execution traces of PyTorch. Knows nothing of STAGE. */
@NullMarked
package org.stage.plugin.pytorchet.format;

import org.jspecify.annotations.NullMarked;
