package org.stage.api.plugin;

import org.stage.api.graph.Module;

/**
 * Rewrites the symbolic graph of a model, as a system does that fuses kernels. A user selects it by
 * its name under {@code transforms} in a workload file.
 *
 * <p>Called once for each module of the forward graph, on one thread at a time, before gradients
 * are derived and before anything is placed on devices. Gives the same result for the same module.
 *
 * <p>No command of this version calls it; {@code stage plugins} lists it.
 */
public interface GraphTransform extends Plugin {
  /**
   * The module to take in place of {@code module}; the same object if there is nothing to do. It
   * keeps name, inputs, parameters and outputs: other modules refer to them.
   *
   * @throws org.stage.api.diagnostic.InputException if an option does not fit the module
   */
  Module apply(Module module, RunContext context);
}
