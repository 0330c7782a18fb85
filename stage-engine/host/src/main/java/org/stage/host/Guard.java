package org.stage.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;

/** Calls foreign code so that whatever it throws names the culprit. */
final class Guard {
  private static final String REPORT =
      "Run again with --debug for the stack trace, and report it to the author of the plugin.";

  private Guard() {}

  static <R> R call(String culprit, String doing, @Nullable ClassLoader loader, Callable<R> call) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      @Nullable R result = call.call();
      if (result == null) {
        throw new WorkException(culprit, "returned nothing in " + doing, REPORT);
      }
      return result;
    } catch (InputException | WorkException | CancellationException meant) {
      throw meant;
    } catch (EngineSide.Failure notThePlugin) {
      throw notThePlugin.failure();
    } catch (IOException e) {
      throw failedIo(culprit, doing, e);
    } catch (UncheckedIOException e) {
      throw failedIo(culprit, doing, e.getCause());
    } catch (Throwable e) {
      rethrowIfFatal(e);
      throw new WorkException(culprit, "failed in " + doing + ": " + Failures.text(e), REPORT, e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /**
   * Lets pass what is a state of the JVM rather than a fault of the code that was running. A stack
   * overflow is such a fault.
   */
  static void rethrowIfFatal(Throwable e) {
    if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
      throw fatal;
    }
  }

  private static WorkException failedIo(String culprit, String doing, @Nullable IOException e) {
    String text = e == null ? "input or output failed" : Failures.text(e);
    return new WorkException(culprit, doing + ": " + text, "", e);
  }
}
