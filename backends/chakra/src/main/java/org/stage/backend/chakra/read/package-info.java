/** Reads Chakra trace sets of every origin into workloads. */
@NullMarked
package org.stage.backend.chakra.read;

import org.jspecify.annotations.NullMarked;
