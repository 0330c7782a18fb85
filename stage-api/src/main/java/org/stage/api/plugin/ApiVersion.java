package org.stage.api.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this API. */
public final class ApiVersion {
  private ApiVersion() {}

  /** The version as the build wrote it, for example {@code 0.1.0-SNAPSHOT}. */
  public static String current() {
    try (InputStream in = ApiVersion.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("stage-api holds no version.properties");
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
