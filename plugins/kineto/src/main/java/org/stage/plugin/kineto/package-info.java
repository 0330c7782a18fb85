/** Reads profiles of PyTorch: what ran on the device, which operator launched it, for how long. */
@NullMarked
package org.stage.plugin.kineto;

import org.jspecify.annotations.NullMarked;
