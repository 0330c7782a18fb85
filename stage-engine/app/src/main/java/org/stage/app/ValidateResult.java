package org.stage.app;

import org.stage.api.plugin.TraceValidator.Validation;

/**
 * What is wrong with traces.
 *
 * @param format as which they were read
 * @param validation the faults, and a summary
 */
public record ValidateResult(String format, Validation validation) {}
