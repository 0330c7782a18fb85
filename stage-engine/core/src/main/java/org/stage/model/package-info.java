/**
 * A model to its forward graph: which modules, with which parameters shared, and which of their
 * products run on 8 bits.
 *
 * <p>Input: a {@link org.stage.job.Job}, or a {@link org.stage.job.Model} and options. Output:
 * {@link org.stage.model.ModelGraph}, an embedding, a layer of each distinct block and a head.
 * Invariant: it is the same for any mesh and any number of layers.
 */
@NullMarked
package org.stage.model;

import org.jspecify.annotations.NullMarked;
