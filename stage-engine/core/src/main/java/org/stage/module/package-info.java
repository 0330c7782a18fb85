/**
 * Module files (YAML) to graphs: the built-in library and its loader.
 *
 * <p>Input: the name of a module, a set of features, and the modules for parts that its file leaves
 * open. Output: a forward graph whose operators and parameters have hierarchical names. Invariant:
 * axes are logical, and declared with what they are to the engine; no module knows a mesh, a size
 * or another strategy.
 */
@NullMarked
package org.stage.module;

import org.jspecify.annotations.NullMarked;
