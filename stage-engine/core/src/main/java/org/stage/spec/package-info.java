/** The workload file: its keys, read, completed and checked, each problem with its line. */
@NullMarked
package org.stage.spec;

import org.jspecify.annotations.NullMarked;
