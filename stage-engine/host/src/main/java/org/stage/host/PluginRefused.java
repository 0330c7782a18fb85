package org.stage.host;

import org.pf4j.PluginRuntimeException;

/** Why a JAR, or one extension in it, cannot be used. */
final class PluginRefused extends PluginRuntimeException {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  PluginRefused(String message, String remedy) {
    super(message);
    this.remedy = remedy;
  }

  PluginRefused(String message, String remedy, Throwable cause) {
    this(message, remedy);
    initCause(cause);
  }

  String message() {
    return String.valueOf(getMessage());
  }

  String remedy() {
    return remedy;
  }
}
