/**
 * What the commands do, callable from Java. In: requests, as a user states them. Out: results, and
 * files. {@link org.stage.app.Session} is the door; the engine and the host are asked only in here,
 * and nothing in here prints.
 */
@NullMarked
package org.stage.app;

import org.jspecify.annotations.NullMarked;
