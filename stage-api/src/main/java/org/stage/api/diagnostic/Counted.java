package org.stage.api.diagnostic;

import java.util.Locale;

/** Numbers of things in messages: {@code 1 rank}, {@code 1,024 ranks}. */
public final class Counted {
  private Counted() {}

  /** A number of what has a regular plural. */
  public static String of(long number, String what) {
    return of(number, what, what + "s");
  }

  /** A number of what is {@code one}, or {@code many}. */
  public static String of(long number, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
  }
}
