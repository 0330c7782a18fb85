package org.stage.testkit;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;

/** Other places of the world, as the default locale and time zone of a test. */
final class ForeignLocale {
  // a decimal comma and other digits; a dotless i in lower case; half an hour off
  private static final List<String> TAGS = List.of("de-DE", "tr-TR", "ar-EG-u-nu-arab");

  private ForeignLocale() {}

  /** What is tried at a place. */
  interface Trial {
    void run(String tag) throws IOException;
  }

  /** Runs {@code trial} at each place, and comes home again. */
  static void each(Trial trial) throws IOException {
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    try {
      for (String tag : TAGS) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
        trial.run(tag);
      }
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }
}
