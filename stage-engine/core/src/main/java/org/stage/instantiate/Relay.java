package org.stage.instantiate;

/** What one module of a stage hands to the next while a pass is added to a graph. */
final class Relay {
  private Handle at = Handle.NONE;

  Handle at() {
    return at;
  }

  void set(Handle handle) {
    at = handle;
  }
}
