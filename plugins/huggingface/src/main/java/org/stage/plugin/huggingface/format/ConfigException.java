package org.stage.plugin.huggingface.format;

import org.jspecify.annotations.Nullable;

/** A configuration is not what it should be. Says at which key, what was found, and what to do. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String key;
  private final String problem;
  private final String remedy;

  /** A problem of the file as a whole. */
  public ConfigException(String problem, String remedy) {
    this("", problem, remedy);
  }

  /** A problem of the value of {@code key}. */
  public ConfigException(String key, String problem, String remedy) {
    this(key, problem, remedy, null);
  }

  ConfigException(String key, String problem, String remedy, @Nullable Throwable cause) {
    super(key.isEmpty() ? problem : key + ": " + problem, cause);
    this.key = key;
    this.problem = problem;
    this.remedy = remedy;
  }

  /** The key; empty for the file as a whole. */
  public String key() {
    return key;
  }

  /** What was found. */
  public String problem() {
    return problem;
  }

  /** What to do; may be empty. */
  public String remedy() {
    return remedy;
  }
}
