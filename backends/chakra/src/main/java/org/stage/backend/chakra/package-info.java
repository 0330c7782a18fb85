/**
 * Translates workloads into Chakra execution traces, with the configurations that ASTRA-sim needs.
 */
@NullMarked
package org.stage.backend.chakra;

import org.jspecify.annotations.NullMarked;
