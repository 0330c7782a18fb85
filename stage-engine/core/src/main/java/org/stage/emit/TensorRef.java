package org.stage.emit;

import org.stage.api.workload.Ids;

/**
 * A tensor of a graph under construction.
 *
 * @param id index into the graph's tensors
 * @param writer the node that writes it; none if it is there from the start
 */
record TensorRef(int id, Ids writer) {}
