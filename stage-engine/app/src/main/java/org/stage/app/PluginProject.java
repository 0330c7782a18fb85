package org.stage.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.ApiVersion;
import org.stage.host.Failures;

/**
 * A new plugin project.
 *
 * @param name of plugin and format
 * @param kind what the example in it does
 * @param repository the Maven repository of the distribution
 */
public record PluginProject(String name, PluginKind kind, Path repository) {
  /**
   * Checks the name, and finds the repository.
   *
   * @param target the folder to be written, which bears the name
   * @param kind what the example in it does
   * @param home the unpacked distribution, if STAGE runs from one
   */
  public static PluginProject of(Path target, PluginKind kind, Optional<Path> home) {
    @Nullable Path last = target.getFileName();
    String name = String.valueOf(last);
    if (!name.matches("[a-z][a-z0-9-]{0,39}")) {
      throw new InputException(
          target.toString(),
          "'" + name + "' cannot name a plugin",
          "Take lower case letters, digits and dashes.");
    }
    if (Files.exists(target)) {
      throw new InputException(target.toString(), "is there already", "Take another name.");
    }
    return new PluginProject(name, kind, repository(home));
  }

  private static Path repository(Optional<Path> home) {
    // a checkout packs each build into a folder of its own, and keeps a link to the newest beside
    return home.stream()
        .flatMap(folder -> Stream.of(folder.resolveSibling("repo"), folder.resolve("repo")))
        .map(Path::toAbsolutePath)
        .filter(folder -> Files.isDirectory(folder.resolve("org/stage/stage-plugin-parent")))
        .findFirst()
        .orElseThrow(
            () ->
                new WorkException(
                    "", "there is no Maven repository to build against", "Run a packed STAGE."));
  }

  /** The name of the JAR that it builds. */
  public String jarName() {
    return name + "-1.0.0.jar";
  }

  /** Writes the project. */
  public void write(Path target) {
    String example = kind.suffix() + ".java";
    String test = kind.suffix() + "ContractTest.java";
    String folder = "java/com/example/" + packageName() + "/";
    Map<String, String> files = new LinkedHashMap<>();
    files.put("pom.xml", "pom.xml");
    // offline, Maven would not even read the repository of STAGE, which is a folder
    files.put(".mvn/maven.config", "maven.config");
    files.put("src/main/" + folder + typeName() + example, example);
    files.put("src/test/" + folder + typeName() + test, test);
    files.put("src/test/" + folder + "PluginJarIT.java", "PluginJarIT.java");
    try {
      for (Map.Entry<String, String> file : files.entrySet()) {
        Path path = target.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.writeString(path, filled(file.getValue()));
      }
    } catch (IOException e) {
      removeAll(target, e);
      throw new WorkException(
          target.toString(),
          "cannot be written: " + Failures.text(e),
          "Nothing of it is left; free some space, or begin it in another folder.",
          e);
    }
  }

  /** Removes what there is of a project that could not be finished. */
  private static void removeAll(Path target, IOException cause) {
    try (Stream<Path> all = Files.walk(target)) {
      all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private String filled(String template) {
    return template(template)
        .replace("@name@", name)
        .replace("@package@", packageName())
        .replace("@Type@", typeName())
        .replace("@does@", kind.does())
        .replace("@version@", ApiVersion.current())
        .replace("@repository@", xml(repository.toUri().toString().replaceFirst("/$", "")));
  }

  private static String xml(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  private static String template(String name) {
    try (InputStream in = PluginProject.class.getResourceAsStream("plugin/" + name + ".txt")) {
      if (in == null) {
        throw new IllegalStateException("no template " + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String packageName() {
    return name.replace("-", "");
  }

  /** {@code my-format} is {@code MyFormat}. */
  private String typeName() {
    StringBuilder type = new StringBuilder();
    for (String word : name.split("-")) {
      if (!word.isEmpty()) {
        type.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
      }
    }
    return type.toString();
  }
}
