/** Extension points, and what the host gives to a plugin. */
@NullMarked
package org.stage.api.plugin;

import org.jspecify.annotations.NullMarked;
