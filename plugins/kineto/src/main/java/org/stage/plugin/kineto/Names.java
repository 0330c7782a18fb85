package org.stage.plugin.kineto;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.plugin.kineto.format.Trace;

/** What the names of a trace mean, worked out once for each. */
final class Names {
  private final List<Meaning> meanings = new ArrayList<>();

  private record Meaning(
      String text,
      Optional<Kind> operator,
      @Nullable Kind collective,
      Kind kernel,
      boolean library,
      Part part) {
    static Meaning of(String text) {
      return new Meaning(
          text,
          OperatorNames.kind(text),
          spokenOf(text),
          KernelNames.kind(text),
          KernelNames.isLibrary(text),
          Part.of(text));
    }

    private static @Nullable Kind spokenOf(String text) {
      String lower = text.toLowerCase(Locale.ROOT);
      if (!lower.startsWith("c10d::") && !lower.startsWith("nccl:")) {
        return null;
      }
      Kind kind = KernelNames.collective(lower);
      return kind == Kind.OTHER_COMMUNICATION ? null : kind;
    }
  }

  /** The parts of a step that a name speaks of. */
  private record Part(boolean backward, boolean recompute, boolean optimizer) {
    static Part of(String text) {
      return new Part(
          OperatorNames.isBackward(text),
          OperatorNames.isRecompute(text),
          OperatorNames.isOptimizer(text));
    }
  }

  Names(Trace trace) {
    for (int name = 0; name < trace.names(); name++) {
      meanings.add(Meaning.of(trace.name(name)));
    }
  }

  String text(int name) {
    return meanings.get(name).text();
  }

  Optional<Kind> operator(int name) {
    return meanings.get(name).operator();
  }

  /** The collective that the name of an operator speaks of, or null. */
  @Nullable Kind collective(int name) {
    return meanings.get(name).collective();
  }

  Kind kernel(int name) {
    return meanings.get(name).kernel();
  }

  boolean isLibrary(int name) {
    return meanings.get(name).library();
  }

  boolean isWrapper(int name) {
    return OperatorNames.isWrapper(text(name));
  }

  boolean isBackward(int name) {
    return meanings.get(name).part().backward();
  }

  boolean isRecompute(int name) {
    return meanings.get(name).part().recompute();
  }

  boolean isOptimizer(int name) {
    return meanings.get(name).part().optimizer();
  }
}
