package org.stage.host;

import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which plugins are at work. A plugin that ends the JVM or never returns gives the host no chance
 * to catch anything; whoever ends the process, or looks after its end, asks here whose doing it
 * was. One for the process, as its end is.
 */
public final class PluginCalls {
  private static final Map<Thread, Deque<Call>> RUNNING = new ConcurrentHashMap<>();
  private static volatile Consumer<String> watcher = culprit -> {};

  private PluginCalls() {}

  /** A call that has not returned. */
  public static final class Call {
    private final String culprit;
    private volatile String doing;

    private Call(String culprit, String doing) {
      this.culprit = culprit;
      this.doing = doing;
    }

    /** Whose call it is: {@code plugin x 1.0.0 (x.jar)}. */
    public String culprit() {
      return culprit;
    }

    /** What is called: {@code export}. */
    public String doing() {
      return doing;
    }

    /** The plugin goes on with something else. */
    void goOn(String next) {
      doing = next;
    }

    /** The plugin has returned; called by the thread that called it. */
    void close() {
      RUNNING.computeIfPresent(
          Thread.currentThread(),
          (thread, calls) -> {
            calls.remove(this);
            return calls.isEmpty() ? null : calls;
          });
    }
  }

  /** The current thread calls a plugin, until the call is closed. */
  static Call enter(String culprit, String doing) {
    Call call = new Call(culprit, doing);
    RUNNING
        .computeIfAbsent(Thread.currentThread(), thread -> new ConcurrentLinkedDeque<>())
        .push(call);
    watcher.accept(culprit);
    return call;
  }

  /** The calls of a thread are no longer waited for. */
  static void abandon(Thread thread) {
    RUNNING.remove(thread);
  }

  /** Tells {@code watcher} whose each call is, before it is made. */
  public static void watch(Consumer<String> watcher) {
    PluginCalls.watcher = watcher;
  }

  /** A call that has not returned, if there is any. */
  public static Optional<Call> running() {
    return RUNNING.keySet().stream().flatMap(thread -> innermost(thread).stream()).findFirst();
  }

  /**
   * The call in which {@code System.exit} was called, if the JVM is about to end for that; if it
   * was called by a thread of nobody's, any call.
   */
  public static Optional<Call> exiting() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> Arrays.stream(each.getValue()).anyMatch(PluginCalls::isExit))
        .map(Map.Entry::getKey)
        .findFirst()
        .map(
            thread ->
                innermost(thread)
                    .or(PluginCalls::running)
                    .orElseGet(() -> new Call("thread " + thread.getName(), "no call")));
  }

  private static boolean isExit(StackTraceElement frame) {
    return frame.getClassName().equals("java.lang.Runtime") && frame.getMethodName().equals("exit");
  }

  private static Optional<Call> innermost(Thread thread) {
    @Nullable Deque<Call> calls = RUNNING.get(thread);
    return Optional.ofNullable(calls == null ? null : calls.peek());
  }
}
