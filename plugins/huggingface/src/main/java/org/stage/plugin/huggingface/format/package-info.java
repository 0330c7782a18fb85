/** The bytes of a {@code config.json} to typed values; knows nothing of STAGE's models. */
@NullMarked
package org.stage.plugin.huggingface.format;

import org.jspecify.annotations.NullMarked;
