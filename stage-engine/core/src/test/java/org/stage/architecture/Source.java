package org.stage.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A source file of this checkout, parsed by the compiler and no further.
 *
 * @param module the folder of its module: {@code backends/dot}
 * @param type the name of its top-level type
 * @param lines how many it has
 * @param tree what the compiler read
 */
record Source(String module, String type, long lines, CompilationUnitTree tree) {
  private static final Path ROOT = Path.of("..", "..");
  private static final Path MAIN = Path.of("src", "main", "java");

  /** What is written by hand in all modules, tests left out. */
  static List<Source> ofAllModules() throws IOException {
    List<Source> sources = new ArrayList<>();
    for (Path module : modules()) {
      try (Stream<Path> files = Files.walk(module.resolve(MAIN))) {
        List<Path> java = files.filter(Source::isOfAType).sorted().toList();
        String name = ROOT.relativize(module).toString().replace('\\', '/');
        sources.addAll(parse(name, java));
      }
    }
    return sources;
  }

  /** Source text, as of a file of {@code module}. */
  static Source of(String module, String type, String text) throws IOException {
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
          }
        };
    return new Source(module, type, text.lines().count(), trees(List.of(file)).get(0));
  }

  private static List<Path> modules() throws IOException {
    try (Stream<Path> folders = Files.find(ROOT, 3, (path, attributes) -> isModule(path))) {
      return folders.sorted().toList();
    }
  }

  private static boolean isModule(Path folder) {
    return Files.isRegularFile(folder.resolve("pom.xml"))
        && Files.isDirectory(folder.resolve(MAIN));
  }

  private static boolean isOfAType(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".java") && !name.endsWith("-info.java");
  }

  private static List<Source> parse(String module, List<Path> files) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Source> sources = new ArrayList<>();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      List<JavaFileObject> objects = new ArrayList<>();
      manager.getJavaFileObjectsFromPaths(files).forEach(objects::add);
      List<CompilationUnitTree> trees = trees(objects);
      for (int i = 0; i < files.size(); i++) {
        sources.add(of(module, files.get(i), trees.get(i)));
      }
    }
    return sources;
  }

  private static Source of(String module, Path file, CompilationUnitTree tree) {
    String simple = file.getFileName().toString().replace(".java", "");
    try (Stream<String> lines = Files.lines(file)) {
      return new Source(module, tree.getPackageName() + "." + simple, lines.count(), tree);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<CompilationUnitTree> trees(List<JavaFileObject> files) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavacTask task =
        (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, files);
    List<CompilationUnitTree> trees = new ArrayList<>();
    task.parse().forEach(trees::add);
    return trees;
  }
}
