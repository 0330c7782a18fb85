/**
 * The bytes of PyTorch profiles, as Kineto and its relatives write them: a lenient reader, the
 * columns in which events are kept, and the links between them. Knows nothing of STAGE.
 */
@NullMarked
package org.stage.plugin.kineto.format;

import org.jspecify.annotations.NullMarked;
