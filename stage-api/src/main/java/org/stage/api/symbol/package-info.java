/**
 * Exact symbolic sizes: sums of products of symbols, ordinary and derived, with rational
 * coefficients.
 */
@NullMarked
package org.stage.api.symbol;

import org.jspecify.annotations.NullMarked;
