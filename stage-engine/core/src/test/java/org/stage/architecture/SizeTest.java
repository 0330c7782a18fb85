package org.stage.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.Test;

/**
 * No main source file is longer than 300 lines, and no constructor takes more than seven values.
 * {@code size-exceptions.txt} lists what may be larger, with its limit and the reason: at most
 * eight, none of which is larger than need be.
 */
class SizeTest {
  private static final long LINES = 300;
  private static final long PARAMETERS = 7;
  private static final String EXCEPTIONS = "size-exceptions.txt";

  private record Allowed(String type, String measure, long limit) {}

  private static List<Allowed> allowed() throws IOException {
    return Entries.of(EXCEPTIONS).stream()
        .map(each -> new Allowed(each.get(0), each.get(1), Long.parseLong(each.get(2))))
        .toList();
  }

  /** What exceeds the limit, by type, with what it measures. */
  private static Map<String, Long> tooLarge(List<Source> sources, String measure) {
    Map<String, Long> sizes = new HashMap<>();
    for (Source source : sources) {
      if (measure.equals("lines")) {
        sizes.put(source.type(), source.lines());
      } else {
        new Constructors(sizes).scan(source.tree(), source.tree().getPackageName() + ".");
      }
    }
    sizes.values().removeIf(size -> size <= (measure.equals("lines") ? LINES : PARAMETERS));
    return sizes;
  }

  /** Finds the most values that a constructor of each type takes. */
  private static final class Constructors extends TreeScanner<Void, String> {
    private final Map<String, Long> sizes;

    Constructors(Map<String, Long> sizes) {
      this.sizes = sizes;
    }

    @Override
    public Void visitClass(ClassTree type, String outer) {
      String name = outer + type.getSimpleName();
      for (Tree member : type.getMembers()) {
        if (member instanceof MethodTree method && method.getName().contentEquals("<init>")) {
          sizes.merge(name, (long) method.getParameters().size(), Math::max);
        }
      }
      if (type.getKind() == Tree.Kind.RECORD) {
        sizes.merge(name, components(type), Math::max);
      }
      return super.visitClass(type, name + ".");
    }

    /** Components are the fields of a record that are not static. */
    private static long components(ClassTree type) {
      return type.getMembers().stream()
          .filter(VariableTree.class::isInstance)
          .map(VariableTree.class::cast)
          .filter(field -> !field.getModifiers().getFlags().contains(Modifier.STATIC))
          .count();
    }
  }

  private static void checkAll(String measure) throws IOException {
    Map<String, Long> tooLarge = tooLarge(Source.ofAllModules(), measure);
    for (Allowed each : allowed()) {
      if (each.measure().equals(measure)) {
        assertThat(tooLarge.remove(each.type()))
            .as("%s of %s, which %s allows", measure, each.type(), EXCEPTIONS)
            .isEqualTo(each.limit());
      }
    }
    assertThat(tooLarge).as("more %s than allowed", measure).isEmpty();
  }

  @Test
  void noFileIsTooLong() throws IOException {
    checkAll("lines");
  }

  @Test
  void noConstructorTakesTooManyValues() throws IOException {
    checkAll("parameters");
  }

  @Test
  void exceptionsAreFewAndHaveReasons() throws IOException {
    List<List<String>> entries = Entries.of(EXCEPTIONS);

    assertThat(entries).hasSizeLessThanOrEqualTo(8).allMatch(each -> each.size() == 4);
    assertThat(allowed()).extracting(Allowed::measure).isSubsetOf("lines", "parameters");
  }

  @Test
  void allModulesAreLookedAt() throws IOException {
    List<Source> sources = Source.ofAllModules();

    assertThat(sources)
        .extracting(Source::type)
        .contains(
            "org.stage.api.symbol.Expr",
            "org.stage.cli.Main",
            "org.stage.backend.dot.DotExporter",
            "org.stage.plugin.kineto.ProfileMaker");
    assertThat(sources).extracting(Source::module).contains("stage-api", "stage-engine/sim");
  }

  @Test
  void componentsAndParametersAreCountedInNestedTypesToo() throws IOException {
    String text =
        """
        package p;
        class A {
          A(int a, int b, int c, int d, int e, int f, int g) {}
          record B(int a, int b, int c, int d, int e, int f, int g, int h) {
            static final int I = 0;
            B { a = 1; }
          }
          enum C { X; C(int a, int b, int c, int d, int e, int f, int g, int h, int i) {} }
          void method(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {}
        }
        """;
    List<Source> sources = List.of(Source.of("m", "p.A", text));

    assertThat(tooLarge(sources, "parameters"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("p.A.B", 8L, "p.A.C", 9L));
  }

  @Test
  void aFileOf301LinesIsTooLong() throws IOException {
    List<Source> sources =
        new ArrayList<>(List.of(Source.of("m", "p.A", "class A {}\n" + "\n".repeat(299))));
    assertThat(tooLarge(sources, "lines")).isEmpty();
    sources.add(Source.of("m", "p.B", "class B {}\n" + "\n".repeat(300)));
    assertThat(tooLarge(sources, "lines")).containsExactly(Map.entry("p.B", 301L));
  }
}
