/**
 * Parameters, FLOPs and traffic of a job, from the symbolic graph, without instantiating a rank.
 */
@NullMarked
package org.stage.analyze;

import org.jspecify.annotations.NullMarked;
