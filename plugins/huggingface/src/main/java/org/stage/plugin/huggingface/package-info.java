/** Imports models from the {@code config.json} of Hugging Face repositories. */
@NullMarked
package org.stage.plugin.huggingface;

import org.jspecify.annotations.NullMarked;
