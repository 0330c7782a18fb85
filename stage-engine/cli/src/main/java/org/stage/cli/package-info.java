/** The command line. */
@NullMarked
package org.stage.cli;

import org.jspecify.annotations.NullMarked;
