/** The symbolic tensor graph (STG): tensors on named axes, operators, modules. All immutable. */
@NullMarked
package org.stage.api.graph;

import org.jspecify.annotations.NullMarked;
