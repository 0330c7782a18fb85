package org.stage.backend.genie;

import org.stage.backend.chakra.format.TraceTemplate;

/**
 * The trace of a class of ranks.
 *
 * @param template what they share
 * @param slots in what they differ
 * @param computeNodes compute nodes of the execution graph
 * @param computeSteps nodes of the trace that stand for them
 * @param durationMicros what the trace waits for compute, microseconds
 * @param surplusMicros by how much that exceeds the roofline, microseconds
 * @param longestMessage the largest message that a rank sends, bytes
 */
record ClassTrace(
    TraceTemplate template,
    Slots slots,
    long computeNodes,
    long computeSteps,
    long durationMicros,
    double surplusMicros,
    long longestMessage) {}
