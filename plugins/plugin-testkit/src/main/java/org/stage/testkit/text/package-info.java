/**
 * Parsers of execution graphs and workloads, for tests.
 *
 * <p>Input: text as {@link org.stage.api.text.ExecutionText} prints it. Output: an equal value,
 * which is legal; or a refusal that quotes the line and says what was expected.
 */
@NullMarked
package org.stage.testkit.text;

import org.jspecify.annotations.NullMarked;
