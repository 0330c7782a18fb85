/** Translates workloads into GEMM topologies for SCALE-Sim, with cycle counts. */
@NullMarked
package org.stage.backend.scalesim;

import org.jspecify.annotations.NullMarked;
