/** The command line: reads arguments, calls the application, prints. It computes nothing. */
@NullMarked
package org.stage.cli;

import org.jspecify.annotations.NullMarked;
