/**
 * A model description to its forward graph: which modules, how often, with which parameters shared,
 * and which of their products run on 8 bits.
 *
 * <p>Input: a {@link org.stage.job.Job}, or a description and options. Output: {@link
 * org.stage.model.ModelGraph}, an embedding, the kinds of layers and a head. Invariant: it is the
 * same for any mesh and any number of layers.
 */
@NullMarked
package org.stage.model;

import org.jspecify.annotations.NullMarked;
