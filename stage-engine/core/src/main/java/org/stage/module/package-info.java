/** Module files (YAML) to graphs: the built-in library and its loader. */
@NullMarked
package org.stage.module;

import org.jspecify.annotations.NullMarked;
