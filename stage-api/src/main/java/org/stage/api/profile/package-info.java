/** What a real run took: operators as they were measured. */
@NullMarked
package org.stage.api.profile;

import org.jspecify.annotations.NullMarked;
