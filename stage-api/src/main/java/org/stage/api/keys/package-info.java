/**
 * Keys of a workload file. Importers make them of foreign descriptions; the engine reads them where
 * a workload file names the description, and checks them as if they were typed there.
 */
@NullMarked
package org.stage.api.keys;

import org.jspecify.annotations.NullMarked;
