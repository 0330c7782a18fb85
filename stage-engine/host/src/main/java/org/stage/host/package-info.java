/**
 * The plugin host: finds plugins, keeps them apart, checks them, guards every call into them, and
 * puts what an exporter writes into place.
 */
@NullMarked
package org.stage.host;

import org.jspecify.annotations.NullMarked;
