/** Reads execution traces of PyTorch, and joins them with profiles of the same processes. */
@NullMarked
package org.stage.plugin.pytorchet;

import org.jspecify.annotations.NullMarked;
