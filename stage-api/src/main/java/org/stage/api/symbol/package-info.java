/** Exact symbolic sizes: sums of products of symbols with rational coefficients. */
@NullMarked
package org.stage.api.symbol;

import org.jspecify.annotations.NullMarked;
