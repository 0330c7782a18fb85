package org.stage.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lists every public type with its public and protected members, in an order of its own. */
final class ApiSurface {
  private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

  private ApiSurface() {}

  /** The public types of the class folder in which {@code anchor} lies. */
  static String of(Class<?> anchor) {
    Path root = root(anchor);
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
          .map(file -> load(anchor, file.substring(0, file.length() - 6).replace('/', '.')))
          .filter(ApiSurface::isVisible)
          .sorted((a, b) -> a.getName().compareTo(b.getName()))
          .map(ApiSurface::describe)
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path root(Class<?> anchor) {
    try {
      return Path.of(anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Class<?> load(Class<?> anchor, String name) {
    try {
      return Class.forName(name, false, anchor.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A public type inside one that is not cannot be named from outside. */
  private static boolean isVisible(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return isVisible(type.getModifiers())
        && !type.isAnonymousClass()
        && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String describe(Class<?> type) {
    Set<String> members = new TreeSet<>();
    for (Field field : type.getDeclaredFields()) {
      if (isVisible(field.getModifiers()) && !field.isSynthetic()) {
        members.add(
            status(field)
                + modifiers(field.getModifiers())
                + name(field.getGenericType())
                + " "
                + field.getName());
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isVisible(constructor.getModifiers()) && !constructor.isSynthetic()) {
        members.add(
            status(constructor)
                + modifiers(constructor.getModifiers())
                + "new"
                + parameters(constructor));
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (isVisible(method.getModifiers())
          && !method.isSynthetic()
          && !OF_EVERY_OBJECT.contains(method.getName())) {
        members.add(describe(method));
      }
    }
    return head(type)
        + "\n"
        + members.stream().map(m -> "  " + m + "\n").collect(Collectors.joining());
  }

  private static String describe(Method method) {
    return status(method)
        + modifiers(method.getModifiers())
        + (method.isDefault() ? "default " : "")
        + name(method.getGenericReturnType())
        + " "
        + method.getName()
        + parameters(method);
  }

  private static String head(Class<?> type) {
    String kind =
        type.isRecord()
            ? "record"
            : type.isEnum() ? "enum" : type.isInterface() ? "interface" : "class";
    List<String> supers =
        Stream.concat(
                Stream.ofNullable(type.getGenericSuperclass()),
                Arrays.stream(type.getGenericInterfaces()))
            .map(ApiSurface::name)
            .filter(name -> !name.matches("Object|Record|Enum<.*>"))
            .toList();
    return status(type)
        + (type.isInterface() ? "" : modifiers(type.getModifiers() & ~Modifier.STATIC))
        + (type.isSealed() ? "sealed " : Modifier.isFinal(type.getModifiers()) ? "final " : "")
        + kind
        + " "
        + type.getName()
        + (supers.isEmpty() ? "" : " extends " + String.join(", ", supers));
  }

  private static String parameters(Executable executable) {
    String thrown =
        Arrays.stream(executable.getGenericExceptionTypes())
            .map(ApiSurface::name)
            .collect(Collectors.joining(", "));
    return Arrays.stream(executable.getGenericParameterTypes())
            .map(ApiSurface::name)
            .collect(Collectors.joining(", ", "(", ")"))
        + (thrown.isEmpty() ? "" : " throws " + thrown);
  }

  private static String status(AnnotatedElement element) {
    return element.isAnnotationPresent(Experimental.class) ? "@Experimental " : "";
  }

  /** What callers see: not that a method is final in a final class, or how its body is compiled. */
  private static String modifiers(int modifiers) {
    int seen = modifiers & (Modifier.PROTECTED | Modifier.ABSTRACT | Modifier.STATIC);
    return seen == 0 ? "" : Modifier.toString(seen) + " ";
  }

  private static String name(Type type) {
    return type.getTypeName()
        .replaceAll("\\bjava\\.(lang|util)\\.(?=[A-Z])", "")
        .replaceAll("\\borg\\.stage\\.api\\.\\w+\\.(?=[A-Z])", "");
  }
}
