/**
 * Module files (YAML) to graphs: the built-in library and its loader.
 *
 * <p>Input: the name of a module and a set of features. Output: a forward graph whose operators and
 * parameters have hierarchical names. Invariant: axes are logical, and declared with what they are
 * to the engine; no module knows a mesh, a size or another strategy.
 */
@NullMarked
package org.stage.module;

import org.jspecify.annotations.NullMarked;
