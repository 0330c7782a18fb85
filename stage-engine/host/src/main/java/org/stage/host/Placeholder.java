package org.stage.host;

/** Keeps the module compiling until the host is here. */
final class Placeholder {
  private Placeholder() {}
}
