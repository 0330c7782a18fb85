/** Problems as values: what is wrong, where, and what to do. */
@NullMarked
package org.stage.api.diagnostic;

import org.jspecify.annotations.NullMarked;
