/** The command line: reads arguments, asks the engine and the host, prints. It computes nothing. */
@NullMarked
package org.stage.cli;

import org.jspecify.annotations.NullMarked;
