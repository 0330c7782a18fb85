package org.stage.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Exporter;

/**
 * Each way of being broken beside a good plugin: the good one works, and one line says which JAR is
 * broken, why, and what to do.
 */
class BrokenJarTest {
  @TempDir static Path shared;
  @TempDir Path folder;

  private static Path good;

  /** Makes {@code x.jar}. */
  private interface Breaker {
    void write(Path jar) throws IOException;
  }

  /**
   * A way of being broken.
   *
   * @param name of the case
   * @param named whether the JAR's manifest can be read, which says that it gives {@code bad}
   * @param breaker makes the JAR
   * @param cause what the line must say
   */
  private record Case(String name, boolean named, Breaker breaker, String cause) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String CTOR = "public class X extends E0 { %s }";

  private static Case ofFile(String name, Breaker breaker, String cause) {
    return new Case(name, false, breaker, cause);
  }

  private static Case ofJar(String name, PluginJar jar, String cause) {
    return new Case(name, true, jar::write, cause);
  }

  private static PluginJar bad() {
    return new PluginJar("bad").manifest("Plugin-Requires", ">=1.0.0 & <2.0.0");
  }

  /** A plugin whose one extension is {@code test.X}. */
  private static PluginJar extension(String text) {
    return bad()
        .index("test.X")
        .source("test", "X", text)
        .source(
            "test",
            "E0",
            """
            public class E0 implements Exporter {
              public String name() { return "bad"; }
              public String description() { return "bad"; }
              public ExportReport export(Workload workload, ExportContext context) {
                return new ExportReport(0, List.of());
              }
            }
            """);
  }

  private static Stream<Case> files() {
    return Stream.of(
        ofFile("empty file", jar -> Files.createFile(jar), "cannot be read as a JAR"),
        ofFile("not a zip", jar -> Files.writeString(jar, "hello"), "cannot be read as a JAR"),
        new Case("torn zip", true, BrokenJarTest::torn, "cannot be read as a JAR"),
        ofFile("folder", Files::createDirectory, "it is a folder, not a JAR"),
        ofFile(
            "dangling link",
            jar -> Files.createSymbolicLink(jar, Path.of("nowhere")),
            "cannot be read as a JAR"),
        ofFile("no manifest", jar -> bad().withoutManifest().write(jar), "it has no manifest"),
        ofFile(
            "damaged manifest",
            jar -> bad().withoutManifest().entry("META-INF/MANIFEST.MF", bytes("a\nb")).write(jar),
            "cannot be read as a JAR: "),
        ofFile(
            "huge manifest",
            jar ->
                bad().withoutManifest().entry("META-INF/MANIFEST.MF", new byte[1 << 25]).write(jar),
            "its manifest is larger than 1 MB"));
  }

  private static Stream<Case> manifests() {
    return Stream.of(
        ofFile(
            "no id",
            jar -> bad().manifest("Plugin-Id", " ").write(jar),
            "its manifest has no Plugin-Id"),
        ofFile(
            "an id that is a path",
            jar -> bad().manifest("Plugin-Id", "../x").write(jar),
            "Plugin-Id '../x' is not"),
        ofJar(
            "version that is none",
            bad().manifest("Plugin-Version", "one"),
            "Plugin-Version 'one' is not a version"),
        ofJar(
            "range that is none",
            bad().manifest("Plugin-Requires", ">=one"),
            "Plugin-Requires '>=one' is not a range"),
        ofJar(
            "endless range",
            bad().manifest("Plugin-Requires", "(".repeat(20_000)),
            "Plugin-Requires in its manifest has 20000 characters"),
        ofJar(
            "newer API",
            bad().manifest("Plugin-Requires", ">=2.0.0 & <3.0.0"),
            "needs stage-api >=2.0.0 & <3.0.0, this host provides 1.4.0. Install a plugin built for"
                + " 1.x, or a newer STAGE."),
        ofJar(
            "older API",
            bad().manifest("Plugin-Requires", ">=0.1.0 & <1.0.0"),
            "this host provides 1.4.0. Install a plugin built for 1.x, or an older STAGE."),
        ofJar(
            "depends on a plugin",
            bad().manifest("Plugin-Dependencies", "other"),
            "depends on other plugins (other)"),
        ofJar(
            "a class to be started",
            bad().manifest("Plugin-Class", "test.P"),
            "it has a class to be started (test.P), which this host does not support"));
  }

  private static Stream<Case> indexes() {
    return Stream.of(
        ofJar("no index", bad(), "it has no META-INF/extensions.idx"),
        ofJar("empty index", index("\n# nothing\n"), "names no extension"),
        ofJar("huge index", index("x".repeat(100) + "\n", 1 << 18), "is larger than 128 KB"),
        ofJar(
            "index of binary",
            bad().entry("META-INF/extensions.idx", new byte[] {1, 0, -1, 'x'}),
            "is named as an extension but is not in the JAR"),
        ofJar(
            "index that names a class that is not there",
            index("test.Nowhere"),
            "test.Nowhere is named as an extension but is not in the JAR"),
        ofJar(
            "index that names a class of the JDK",
            index("java.lang.String"),
            "java.lang.String is named as an extension but is not in the JAR"),
        ofJar(
            "index that names a class of the host",
            index("org.stage.host.PluginHost"),
            "org.stage.host.PluginHost is named as an extension but is not in the JAR"),
        ofJar(
            "class that is garbage",
            index("test.X").entry("test/X.class", bytes("hello")),
            "test.X cannot be loaded: ClassFormatError"));
  }

  private static Stream<Case> classes() {
    return Stream.of(
        ofJar(
            "newer class file",
            extension(CTOR.formatted("")).classVersion(99),
            "test.X was compiled for a newer Java than " + Runtime.version().feature()),
        ofJar("abstract", extension("public abstract class X extends E0 {}"), "X is abstract"),
        ofJar(
            "interface", extension("public interface X extends Exporter {}"), "X is an interface"),
        ofJar("not public", extension("class X extends E0 {}"), "test.X is not public"),
        ofJar(
            "no default constructor",
            extension(CTOR.formatted("public X(int i) {}")),
            "test.X has no public constructor without parameters"),
        ofJar(
            "private constructor",
            extension(CTOR.formatted("private X() {}")),
            "test.X has no public constructor without parameters"),
        ofJar(
            "no extension",
            extension("public class X {}"),
            "test.X implements no extension point of this version"),
        ofJar(
            "extension of its own copy of the API",
            extension("public class X implements Own {}")
                .source("test", "Own", "public interface Own {}"),
            "implements no extension point"),
        ofJar(
            "built when a method was not there yet",
            oldApi(
                "public String name() { return \"bad\"; } public String description() { return"
                    + " \"\"; }"),
            "test.X does not implement export() of this version"),
        ofJar(
            "superclass is missing",
            extension("public class X extends Lib {}")
                .source("test", "Lib", "public class Lib extends E0 {}")
                .without("test/Lib.class"),
            "test.X cannot be loaded: class test.Lib is missing"));
  }

  private static Stream<Case> constructors() {
    return Stream.of(
        constructor(
            "exception",
            "throw new IllegalStateException(\"boom\");",
            "IllegalStateException: boom"),
        constructor("error", "throw new Error();", "throws in its constructor: Error"),
        constructor("assertion", "throw new AssertionError(\"no\");", "AssertionError: no"),
        constructor(
            "out of memory",
            "throw new OutOfMemoryError();",
            "throws in its constructor: out of memory, of which the JVM may use "),
        ofJar(
            "stack overflow in its static initialiser",
            extension(
                CTOR.formatted("static int deep() { return deep() + 1; } static int x = deep();")),
            "test.X cannot be used: StackOverflowError"),
        constructor("endless recursion", "new X();", "StackOverflowError"),
        ofJar(
            "missing class in its constructor",
            extension(CTOR.formatted("public X() { new Lib(); }"))
                .source("test", "Lib", "public class Lib {}")
                .without("test/Lib.class"),
            "test.X throws in its constructor: class test.Lib is missing"),
        constructor(
            "an exception that throws itself",
            "throw new RuntimeException() { public String getMessage() { throw this; } };",
            "throws in its constructor: test.X$1"),
        ofJar(
            "static initialiser",
            extension(CTOR.formatted("static int x = Integer.parseInt(\"?\");")),
            "test.X throws in its static initialiser: NumberFormatException: "));
  }

  private static Case constructor(String name, String body, String cause) {
    return ofJar(
        name + " in its constructor",
        extension(CTOR.formatted("public X() { " + body + " }")),
        cause);
  }

  private static Stream<Case> names() {
    return Stream.of(
        name("null", "return null;", "test.X has no name"),
        name("empty", "return \"\";", "test.X calls itself ''; a name is up to 40 lower case"),
        name("blank", "return \" \";", "test.X calls itself ' '"),
        name("upper case", "return \"Bad\";", "test.X calls itself 'Bad'"),
        name("path", "return \"../bad\";", "test.X calls itself '../bad'"),
        name("two lines", "return \"a\\nb\";", "test.X calls itself 'a b'"),
        name("endless", "return \"a\".repeat(1 << 20);", "test.X calls itself 'aaaa"),
        name("thrown", "throw new IllegalStateException(\"boom\");", "throws in name()"),
        name("taken", "return \"good\";", "'good' is already given by plugin good 1.2.0"));
  }

  private static Case name(String name, String body, String cause) {
    return ofJar(
        "name " + name, extension(CTOR.formatted("public String name() { " + body + " }")), cause);
  }

  private static PluginJar index(String text) {
    return index(text, 1);
  }

  private static PluginJar index(String text, int times) {
    return bad().entry("META-INF/extensions.idx", bytes(text.repeat(times)));
  }

  private static PluginJar oldApi(String body) {
    return bad()
        .index("test.X")
        .source("org.stage.api.plugin", "Exporter", "public interface Exporter extends Plugin {}")
        .source("test", "X", "public class X implements Exporter { " + body + " }")
        .without("org/stage/api/plugin/Exporter.class");
  }

  private static void torn(Path jar) throws IOException {
    byte[] whole = Files.readAllBytes(PluginJar.good("bad").write(jar));
    Files.write(jar, Arrays.copyOf(whole, whole.length / 2));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static Stream<Case> cases() {
    return Stream.of(files(), manifests(), indexes(), classes(), constructors(), names())
        .flatMap(each -> each);
  }

  @BeforeAll
  static void makeGoodPlugin() {
    good =
        PluginJar.good("good")
            .manifest("Plugin-Requires", ">=1.0.0 & <2.0.0")
            .write(shared.resolve("good.jar"));
  }

  /** Of a version at which {@link PluginJar}'s own range does not hold. */
  private Plugins load() {
    return Plugins.load(List.of(folder), issue -> {}, "1.4.0");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void harmsNoOtherPluginAndIsNamedWithCauseAndRemedyInOneLine(Case broken) throws Exception {
    Files.copy(good, folder.resolve("good.jar"));
    broken.breaker().write(folder.resolve("x.jar"));

    try (Plugins plugins = load();
        ExportRun run =
            ExportRun.open(folder.resolve("out"), List.of("good"), false, begun -> {})) {
      Workloads.export(
          run, plugins.find(Exporter.class, "exporter", "", "good"), Workloads.request());
      // what is wrong with a constructor or a name is seen when they are asked for
      assertThat(plugins.extensions()).extracting(Extension::name).containsExactly("good");
      assertThat(plugins.loaded()).extracting(LoadedPlugin::id).containsExactly("good");
      assertThat(plugins.issues())
          .extracting(Object::toString)
          .singleElement()
          .asString()
          .startsWith("plugin x.jar: ")
          .contains(broken.cause())
          .hasSizeLessThan(700)
          .doesNotContain("\n");
      assertThat(plugins.issues().get(0).remedy()).endsWith(".");
      assertThatThrownBy(() -> plugins.find(Exporter.class, "exporter", "--to", "bad"))
          .isInstanceOf(broken.named() ? WorkException.class : InputException.class)
          .hasMessageContaining(
              broken.named()
                  ? "exporter 'bad' is not there, since plugin x.jar: "
                  : "there is no exporter 'bad'. There are: good.");
    }
    assertThat(folder.resolve("out/good/a.txt")).hasContent("hello");
  }

  @Test
  void aFileThatMayNotBeReadIsNamed() throws Exception {
    Path jar = PluginJar.good("bad").write(folder.resolve("x.jar"));
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(jar), "the super-user reads everything");

    try (Plugins plugins = load()) {
      assertThat(plugins.issues().get(0).toString())
          .startsWith("plugin x.jar: it cannot be read as a JAR: ")
          .contains("permission denied");
    }
  }

  @Test
  void twoExtensionsOfOneNameInAJarLeaveTheFirst() {
    write(new PluginJar("bad").exporter("same", "return null;").exporter("same", "return null;"));

    try (Plugins plugins = load()) {
      assertThat(plugins.extensions(Exporter.class)).hasSize(1);
      assertThat(plugins.issues().get(0).toString())
          .isEqualTo(
              "plugin x.jar: two of its extensions are called 'same'. Report it to the author of"
                  + " the plugin.");
    }
  }

  @Test
  void aBundledApiIsSaidToBeIgnored() throws Exception {
    byte[] bundled =
        Exporter.class.getResourceAsStream("/org/stage/api/plugin/Plugin.class").readAllBytes();
    write(PluginJar.good("fat").entry("org/stage/api/plugin/Plugin.class", bundled));

    try (Plugins plugins = load()) {
      assertThat(plugins.extensions(Exporter.class)).hasSize(1);
      assertThat(plugins.issues().get(0).toString()).contains("it bundles stage-api, which is");
    }
  }

  @Test
  void twoPluginsUseTwoVersionsOfOneLibrary() {
    write(withLibrary("one", 1), "one.jar");
    write(withLibrary("two", 2), "two.jar");

    try (Plugins plugins = load();
        ExportRun run =
            ExportRun.open(folder.resolve("out"), List.of("one", "two"), false, begun -> {})) {
      for (int version = 1; version <= 2; version++) {
        String name = version == 1 ? "one" : "two";
        ExportRun.Result result =
            Workloads.export(
                run, plugins.find(Exporter.class, "exporter", "", name), Workloads.request());
        assertThat(result.report().nodes()).isEqualTo(version);
      }
    }
  }

  private static PluginJar withLibrary(String id, int version) {
    return new PluginJar(id)
        .exporter(id, "return new ExportReport(com.lib.Runtime.version(), List.of());")
        .source(
            "com.lib",
            "Runtime",
            "public class Runtime { public static long version() { return " + version + "; } }");
  }

  @Test
  void whatAnExtensionSaysAlsoNamesABrokenJar() {
    write(bad().manifest("Plugin-Provides", "alpha, beta"));

    try (Plugins plugins = load()) {
      assertThatThrownBy(() -> plugins.find(Exporter.class, "exporter", "--to", "beta"))
          .hasMessageContaining("exporter 'beta' is not there, since plugin x.jar: it has no META");
    }
  }

  private void write(PluginJar jar) {
    write(jar, "x.jar");
  }

  private void write(PluginJar jar, String file) {
    jar.manifest("Plugin-Requires", ">=1.0.0 & <2.0.0").write(folder.resolve(file));
  }
}
