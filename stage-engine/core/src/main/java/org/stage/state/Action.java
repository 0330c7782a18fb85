package org.stage.state;

import org.stage.api.workload.Position;

/**
 * One thing that a device does in a step, said once for all layers and micro-batches that do it.
 */
public interface Action {
  /** Its name inside its module. */
  String name();

  /** When it is done, and so how often. */
  Moment moment();

  /** What it is there for. */
  Position.Role role();

  /** What it takes. */
  Work work();

  /**
   * Its name, and its size where several of one name differ in it, such as buckets of gradients.
   */
  default String key() {
    if (work() instanceof Work.Transfer transfer) {
      return name() + "#" + transfer.elements();
    }
    return work() instanceof Work.Message message ? name() + "#" + message.elements() : name();
  }
}
