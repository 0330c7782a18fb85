package org.stage.instantiate;

/** Keeps the module compiling until the engine is here. */
final class Placeholder {
  private Placeholder() {}
}
