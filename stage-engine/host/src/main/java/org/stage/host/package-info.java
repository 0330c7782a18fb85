/**
 * The plugin host: finds plugins, keeps them apart, checks them, guards every call into them, and
 * puts what an exporter writes into place.
 *
 * <p>Input: folders with JARs, and calls of what is in them. Output: loaded plugins and, as values,
 * what is wrong with the others; folders of files. Invariant: one bad JAR never harms another, and
 * a run that fails leaves nothing behind.
 */
@NullMarked
package org.stage.host;

import org.jspecify.annotations.NullMarked;
