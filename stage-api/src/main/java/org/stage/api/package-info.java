/** What a plugin sees of the engine. */
@NullMarked
package org.stage.api;

import org.jspecify.annotations.NullMarked;
