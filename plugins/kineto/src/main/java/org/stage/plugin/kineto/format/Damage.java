package org.stage.plugin.kineto.format;

/**
 * A place where a file is broken.
 *
 * @param offset bytes before it in the uncompressed file
 * @param line its line, from 1 on
 */
public record Damage(long offset, long line) {}
