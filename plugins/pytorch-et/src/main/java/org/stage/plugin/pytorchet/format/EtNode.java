package org.stage.plugin.pytorchet.format;

import org.stage.plugin.kineto.format.Communication;
import org.stage.plugin.kineto.format.Signature;

/**
 * A call in an execution trace.
 *
 * @param id its number; numbers grow with the beginnings of calls
 * @param parent the number of the call around it; need not be in the trace
 * @param name its name
 * @param function its number in the profile of the same process; 0 if not said
 * @param thread its thread, a number of the trace's own
 * @param inputs sizes and types of its inputs, as a profile writes them
 * @param moved what it says of communication; with an empty name if it is none
 */
public record EtNode(
    long id,
    long parent,
    String name,
    long function,
    String thread,
    Signature inputs,
    Communication moved) {}
