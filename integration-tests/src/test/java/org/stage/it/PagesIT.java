package org.stage.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the packed distribution holds to be read: pages, Javadoc, sources. */
class PagesIT {
  private static final Path DOCS = Command.DIST.resolve("docs");
  private static final List<String> LIBRARIES =
      List.of("stage-api", "stage-sim", "stage-plugin-testkit");

  /** {@code [text](target)}, but no address on the network. */
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)\\s]+)\\)");

  /** {@code href="target"}, but no address on the network and no script. */
  private static final Pattern HREF = Pattern.compile("href=\"(?!https?:|javascript:)([^\"]+)\"");

  @Test
  void holdsEachPage() throws IOException {
    assertThat(DOCS).isDirectoryContaining(file -> file.endsWith("plugins.md"));
    assertThat(names(pages(DOCS))).isEqualTo(names(pages(Path.of("../docs"))));
  }

  @TestFactory
  Stream<DynamicTest> eachRelativeLinkOfAPageResolves() throws IOException {
    return Stream.of(pages(Command.DIST), pages(DOCS))
        .flatMap(List::stream)
        .map(
            page ->
                DynamicTest.dynamicTest(
                    page.getFileName().toString(),
                    () -> assertThat(unresolved(page, LINK)).isEmpty()));
  }

  @TestFactory
  Stream<DynamicTest> eachRelativeLinkOfJavadocResolves() {
    return Stream.concat(Stream.of("index.html"), LIBRARIES.stream())
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      List<Path> files = html(DOCS.resolve("api").resolve(name));
                      assertThat(files).isNotEmpty();
                      for (Path file : files) {
                        assertThat(unresolved(file, HREF)).as("%s", file).isEmpty();
                      }
                    }));
  }

  @Test
  void javadocLeadsToEachLibrary() throws IOException {
    String index = Files.readString(DOCS.resolve("api/index.html"));
    for (String library : LIBRARIES) {
      assertThat(index).contains("href=\"" + library + "/index.html\"");
      assertThat(DOCS.resolve("api").resolve(library).resolve("index.html")).isRegularFile();
    }
    assertThat(Files.readString(DOCS.resolve("plugins.md"))).contains("](api/index.html)");
  }

  @TestFactory
  Stream<DynamicTest> besideEachJarOfTheRepositoryAreItsSourcesAndJavadoc() {
    String version = System.getProperty("stage.version");
    return LIBRARIES.stream()
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      Path folder = Command.DIST.resolve("repo/org/stage/" + name + "/" + version);
                      String jar = name + "-" + version;
                      assertThat(folder.resolve(jar + ".pom")).isRegularFile();
                      List<String> classes = entries(folder.resolve(jar + ".jar"), ".class");
                      List<String> sources = entries(folder.resolve(jar + "-sources.jar"), ".java");
                      assertThat(sources).isNotEmpty();
                      assertThat(outermost(classes, ".class"))
                          .isEqualTo(outermost(sources, ".java"));
                      assertThat(entries(folder.resolve(jar + "-javadoc.jar"), "index.html"))
                          .contains("index.html");
                    }));
  }

  @Test
  void whatJavadocBringsHasItsLicenceNamed() throws IOException {
    String list = Files.readString(Command.DIST.resolve("licenses/THIRD-PARTY.txt"));
    try (Stream<Path> files = Files.list(DOCS.resolve("api/stage-api/legal"))) {
      List<String> libraries = names(files.toList());
      assertThat(libraries).contains("jquery.md");
      libraries.removeIf(name -> !name.endsWith(".md"));
      for (String library : libraries) {
        assertThat(list.toLowerCase(Locale.ROOT).replace(" ", ""))
            .contains(library.replace(".md", "").toLowerCase(Locale.ROOT));
      }
    }
  }

  /** The links that lead to no file, or to a heading that its page does not have. */
  private static List<String> unresolved(Path page, Pattern links) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (MatchResult link : links.matcher(Files.readString(page)).results().toList()) {
      String[] parts = link.group(1).split("#", 2);
      Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
      boolean heading = parts.length == 2 && target.toString().endsWith(".md");
      if (!Files.exists(target) || (heading && !headings(target).contains(parts[1]))) {
        wrong.add(link.group(1));
      }
    }
    return wrong;
  }

  /** What a link to a heading says: in lower case, dashes for spaces, no other punctuation. */
  private static List<String> headings(Path page) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }

  private static List<Path> pages(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  private static List<Path> html(Path fileOrFolder) throws IOException {
    try (Stream<Path> files = Files.walk(fileOrFolder)) {
      return files.filter(file -> file.toString().endsWith(".html")).sorted().toList();
    }
  }

  private static List<String> names(List<Path> files) {
    return new ArrayList<>(files.stream().map(file -> file.getFileName().toString()).toList());
  }

  private static List<String> entries(Path jar, String end) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream().map(ZipEntry::getName).filter(name -> name.endsWith(end)).toList();
    }
  }

  /** Types that stand in no other, each with its package. */
  private static List<String> outermost(List<String> entries, String end) {
    return entries.stream()
        .map(name -> name.substring(0, name.length() - end.length()))
        .filter(name -> !name.contains("$"))
        .sorted()
        .toList();
  }
}
