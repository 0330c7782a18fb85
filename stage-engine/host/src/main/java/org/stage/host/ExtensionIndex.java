package org.stage.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URL;
import java.net.URLConnection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.pf4j.PluginClassLoader;
import org.pf4j.processor.ExtensionStorage;

/** The list of extension classes that PF4J's annotation processor writes into a plugin. */
final class ExtensionIndex {
  private static final String RESOURCE = "META-INF/extensions.idx";

  /** A list of a thousand long names; a larger one is no such list, but may be a zip bomb. */
  private static final int MAX_BYTES = 1 << 17;

  private static final String REMEDY =
      "Build it with the plugin parent, and mark each extension with @Extension.";

  private ExtensionIndex() {}

  /** The names of the extension classes of a plugin, read from its own JAR and nowhere else. */
  static Set<String> read(PluginClassLoader loader) throws PluginRefused {
    @Nullable URL url = loader.findResource(RESOURCE);
    if (url == null) {
      throw new PluginRefused("it has no " + RESOURCE, REMEDY);
    }
    Set<String> names = new LinkedHashSet<>();
    try {
      ExtensionStorage.read(new StringReader(text(url)), names);
    } catch (IOException | RuntimeException e) {
      throw new PluginRefused(
          "its " + RESOURCE + " cannot be read: " + Failures.text(e), "Copy or build it again.", e);
    }
    if (names.isEmpty()) {
      throw new PluginRefused("its " + RESOURCE + " names no extension", REMEDY);
    }
    return names;
  }

  private static String text(URL url) throws IOException, PluginRefused {
    URLConnection connection = url.openConnection();
    // the cache of the JDK would keep the JAR open, and its old content after a replacement
    connection.setUseCaches(false);
    try (InputStream in = connection.getInputStream()) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new PluginRefused(
            "its " + RESOURCE + " is larger than " + (MAX_BYTES >> 10) + " KB", REMEDY);
      }
      return new String(bytes, UTF_8);
    }
  }
}
