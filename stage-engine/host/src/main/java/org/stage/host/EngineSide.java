package org.stage.host;

import java.util.List;
import java.util.function.Supplier;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/**
 * The way back from a plugin into the engine: an exporter asks for graphs, and the engine makes
 * them within the exporter's call. There the engine is to find its own context class loader, and
 * what fails in it is not the plugin's fault.
 */
final class EngineSide {
  private EngineSide() {}

  /** Carries a failure of the engine through a plugin. */
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Throwable failure;

    Failure(Throwable failure) {
      super(failure);
      this.failure = failure;
    }

    /** What the engine has thrown, to be thrown again. */
    RuntimeException failure() {
      if (failure instanceof OutOfMemoryError error) {
        throw error;
      }
      return (RuntimeException) failure;
    }
  }

  /** The same workload, to be handed to a plugin. */
  static Workload of(Workload workload) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    List<RankClass> classes =
        workload.classes().stream().map(c -> c.withGraph(() -> within(loader, c::graph))).toList();
    return workload.withClasses(classes);
  }

  private static <T> T within(ClassLoader loader, Supplier<T> work) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return work.get();
    } catch (RuntimeException | OutOfMemoryError e) {
      throw new Failure(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
