/** What a plugin implements, and what the host hands it. */
@NullMarked
package org.stage.api.plugin;

import org.jspecify.annotations.NullMarked;
