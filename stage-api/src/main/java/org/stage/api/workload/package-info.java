/** What an exporter receives: the job's facts, its rank classes and their execution graphs. */
@NullMarked
package org.stage.api.workload;

import org.jspecify.annotations.NullMarked;
