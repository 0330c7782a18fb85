package org.stage.app;

/**
 * What was converted.
 *
 * @param format the format that was read
 * @param exported the files
 */
public record ConvertResult(String format, ExportResult exported) {}
