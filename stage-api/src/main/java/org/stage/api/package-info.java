/** What holds for all packages of the API: which of it is settled. */
@NullMarked
package org.stage.api;

import org.jspecify.annotations.NullMarked;
