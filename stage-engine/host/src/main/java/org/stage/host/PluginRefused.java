package org.stage.host;

/** Why a JAR, or one extension in it, cannot be used. */
final class PluginRefused extends Exception {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  PluginRefused(String message, String remedy) {
    super(message);
    this.remedy = remedy;
  }

  PluginRefused(String message, String remedy, Throwable cause) {
    super(message, cause);
    this.remedy = remedy;
  }

  String message() {
    return String.valueOf(getMessage());
  }

  String remedy() {
    return remedy;
  }
}
