package org.stage.numeric;

import java.util.List;

/** What an operator must know of the device that it runs on. */
interface Device {
  /** Size on this device of an axis that no input names. */
  int size(String axis);

  /** Index over the whole job of the first element that this device has along an axis. */
  int first(String axis);

  /** The same for each of several axes. */
  default int[] sizes(List<String> axes) {
    return axes.stream().mapToInt(this::size).toArray();
  }

  /**
   * The token that stands in a row of an expert, where each expert meets every token: an index into
   * the tokens of this device.
   */
  default int token(int row) {
    return row;
  }
}
