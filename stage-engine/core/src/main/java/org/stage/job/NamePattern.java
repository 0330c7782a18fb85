package org.stage.job;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A pattern over hierarchical names: {@code *} stands for anything inside one part of a name,
 * {@code **} for any number of parts. {@code layers.*.mlp} covers {@code layers.17.mlp.up}.
 *
 * @param text as it is typed
 */
public record NamePattern(String text) {
  /** Whether it is exactly this name. */
  public boolean matches(String name) {
    return matches(parts(text), 0, parts(name), 0);
  }

  /** Whether it is this name, or one in whose hierarchy the name stands. */
  public boolean covers(String name) {
    List<String> parts = parts(name);
    for (int end = 1; end <= parts.size(); end++) {
      if (matches(parts(text), 0, parts.subList(0, end), 0)) {
        return true;
      }
    }
    return false;
  }

  private static List<String> parts(String name) {
    return List.of(name.split("\\.", -1));
  }

  private static boolean matches(List<String> pattern, int at, List<String> name, int from) {
    if (at == pattern.size()) {
      return from == name.size();
    }
    String part = pattern.get(at);
    if (part.equals("**")) {
      for (int next = from; next <= name.size(); next++) {
        if (matches(pattern, at + 1, name, next)) {
          return true;
        }
      }
      return false;
    }
    return from < name.size()
        && fits(part, name.get(from))
        && matches(pattern, at + 1, name, from + 1);
  }

  private static boolean fits(String part, String name) {
    String regex =
        Arrays.stream(part.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return name.matches(regex);
  }

  @Override
  public String toString() {
    return text;
  }
}
