/**
 * What was asked for, as a domain and not as a file. Made by the readers of workload files, or by
 * hand; read by all that builds, places and counts. Immutable; its numbers are checked where the
 * file is read, which knows their lines.
 */
@NullMarked
package org.stage.job;

import org.jspecify.annotations.NullMarked;
