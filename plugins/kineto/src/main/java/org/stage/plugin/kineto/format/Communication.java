package org.stage.plugin.kineto.format;

/**
 * What a profile says of a collective.
 *
 * @param collective its name: {@code allreduce}; empty if not said
 * @param inElements elements of this rank's input; -1 if not said
 * @param outElements elements of this rank's output; -1 if not said
 * @param groupSize ranks that take part; 0 if not said
 * @param dataType the type of an element: {@code Float}; empty if not said
 * @param group the name of its process group; empty if not said
 * @param description what the group is for: {@code default_pg}; empty if not said
 * @param ranks the ranks of the group, raw; empty if not said
 */
public record Communication(
    String collective,
    long inElements,
    long outElements,
    int groupSize,
    String dataType,
    String group,
    String description,
    String ranks) {}
