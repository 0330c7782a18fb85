/**
 * A model description to its forward graph: which modules, how often, with which parameters shared.
 */
@NullMarked
package org.stage.model;

import org.jspecify.annotations.NullMarked;
