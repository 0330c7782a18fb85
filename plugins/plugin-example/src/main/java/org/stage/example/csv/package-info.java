/** An exporter to start from: nodes as lines of a table. */
@NullMarked
package org.stage.example.csv;

import org.jspecify.annotations.NullMarked;
