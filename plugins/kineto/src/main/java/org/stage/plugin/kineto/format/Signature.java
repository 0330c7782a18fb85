package org.stage.plugin.kineto.format;

/**
 * The inputs of operators, as the profile writes them.
 *
 * @param dims the sizes of each input, raw: {@code [[16, 559], []]}; empty if not said
 * @param types the type of each input, raw: {@code ["float", ""]}; empty if not said
 * @param values the values of the inputs that are no tensors, raw; kept for attention only
 */
public record Signature(String dims, String types, String values) {}
