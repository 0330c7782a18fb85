package org.stage.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;

/** Calls foreign code so that whatever it throws names the culprit. */
final class Guard {
  private static final String REPORT =
      "Run again with --debug for the stack trace, and report it to the author of the plugin.";
  static final String MORE_MEMORY =
      "Give it more by the environment variable STAGE_JAVA_OPTS, for example"
          + " STAGE_JAVA_OPTS=-Xmx8g; if that does not help, report it to the author of the plugin.";

  /** Let go when memory is used up, which a plugin may not give back, to say whose doing it was. */
  @SuppressWarnings("UnusedVariable")
  private static volatile byte @Nullable [] reserve = new byte[1 << 20];

  private Guard() {}

  static <R> R call(String culprit, String doing, @Nullable ClassLoader loader, Callable<R> call) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    PluginCalls.Call running = PluginCalls.enter(culprit, doing);
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
    } catch (OutOfMemoryError e) {
      useReserve();
      throw new WorkException(culprit, "failed in " + doing + ": " + outOfMemory(), MORE_MEMORY, e);
    } catch (Throwable e) {
      throw new WorkException(culprit, "failed in " + doing + ": " + Failures.text(e), REPORT, e);
    } finally {
      running.close();
      thread.setContextClassLoader(before);
    }
  }

  /** Makes room for a message. */
  static void useReserve() {
    reserve = null;
  }

  /** What of memory there was. */
  static String outOfMemory() {
    return String.format(
        Locale.ROOT,
        "out of memory, of which the JVM may use %,d MB",
        Runtime.getRuntime().maxMemory() >> 20);
  }

  private static WorkException failedIo(String culprit, String doing, @Nullable IOException e) {
    String text = e == null ? "input or output failed" : Failures.text(e);
    return new WorkException(culprit, doing + ": " + text, "", e);
  }
}
