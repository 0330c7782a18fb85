package org.stage.architecture;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.util.TreeScanner;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds string literals in a source that repeat a name of a module file. Only literals count that
 * are such a name and nothing else, or a part of one between dots at their beginning or end; what
 * holds blanks is a sentence. The rules, from the names that hardly mean anything else to those
 * that often do:
 *
 * <ul>
 *   <li>axes, sizes and kinds of operators of three letters or more: anywhere;
 *   <li>parameters: anywhere if the name has a dot or an underscore; a word like {@code weight}
 *       stands for a parameter in the engine, but for something else in a format;
 *   <li>operators, tensors and used modules: if the name has an underscore; {@code values} is a
 *       word;
 *   <li>{@code .part} and {@code part.}: if it is a part of the name of a parameter, operator or
 *       tensor;
 *   <li>{@code .wgrad}, {@code .dgrad}, {@code .grad} and {@code .sum}, by which derived operators
 *       and tensors are called: outside of the engine, which derives them.
 * </ul>
 *
 * <p>The name of a field that is read or written, or of a group of a pattern, belongs to a format
 * and is let pass, and so is what an annotation says.
 */
final class LiteralNames extends TreeScanner<Void, Set<String>> {
  private static final Pattern FIELD = Pattern.compile("write\\w*Field\\w*|group|path|at");
  private static final Pattern DERIVED = Pattern.compile("\\.([dw]?grad(_\\d)?|sum)");
  private static final Pattern PARTS = Pattern.compile("\\.?([a-z0-9_]+(\\.[a-z0-9_]+)*)\\.?");
  private static final int SHORTEST = 3;

  private final ModuleNames names;
  private final boolean engine;
  private final Set<String> parts = new TreeSet<>();

  private LiteralNames(ModuleNames names, boolean engine) {
    this.names = names;
    this.engine = engine;
    Stream.concat(names.parameters().stream(), names.inner().stream())
        .flatMap(name -> Stream.of(name.split("\\.")))
        .filter(part -> part.length() >= SHORTEST)
        .forEach(parts::add);
  }

  /** Those of {@code source}, sorted. */
  static Set<String> in(Source source, ModuleNames names) {
    Set<String> found = new TreeSet<>();
    boolean engine = source.module().equals("stage-engine/core");
    new LiteralNames(names, engine).scan(source.tree(), found);
    return found;
  }

  @Override
  public Void visitAnnotation(AnnotationTree annotation, Set<String> found) {
    return null;
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree call, Set<String> found) {
    String method =
        call.getMethodSelect() instanceof MemberSelectTree select
            ? select.getIdentifier().toString()
            : call.getMethodSelect().toString();
    boolean field =
        FIELD.matcher(method).matches()
            && !call.getArguments().isEmpty()
            && call.getArguments().get(0) instanceof LiteralTree;
    if (!field) {
      return super.visitMethodInvocation(call, found);
    }
    scan(call.getMethodSelect(), found);
    return scan(call.getArguments().subList(1, call.getArguments().size()), found);
  }

  @Override
  public Void visitLiteral(LiteralTree literal, Set<String> found) {
    if (literal.getValue() instanceof String text && isName(text)) {
      found.add(text);
    }
    return null;
  }

  private boolean isName(String text) {
    if (text.length() < SHORTEST) {
      return false;
    }
    if (text.startsWith(".") || text.endsWith(".")) {
      return isPart(text);
    }
    boolean telling = text.indexOf('_') > 0 || text.indexOf('.') > 0;
    return names.axes().contains(text)
        || names.kinds().contains(text)
        || (names.parameters().contains(text) && (telling || engine))
        || (names.inner().contains(text) && telling);
  }

  private boolean isPart(String text) {
    if (DERIVED.matcher(text).matches()) {
      return !engine;
    }
    Matcher matcher = PARTS.matcher(text);
    return matcher.matches() && parts.containsAll(List.of(matcher.group(1).split("\\.")));
  }
}
