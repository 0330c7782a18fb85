/**
 * SimAI's workload files as text: writing them, and checking them as SimAI-Analytical reads them.
 */
@NullMarked
package org.stage.backend.simai.format;

import org.jspecify.annotations.NullMarked;
