package org.stage.backend.simai;

import java.util.Locale;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;

/**
 * What the file says otherwise than the workload, or not at all.
 *
 * @param severity how much it matters
 * @param what the loss
 * @param remedy what it means, or what to do
 * @param count how many nodes of one rank it concerns; 0 if it is not about nodes
 * @param bytes what they send, by this rank's input; 0 if nothing
 */
record Loss(Severity severity, String what, String remedy, long count, long bytes) {
  static Loss note(String what, String remedy) {
    return new Loss(Severity.NOTE, what, remedy, 0, 0);
  }

  static Loss warning(String what, String remedy) {
    return new Loss(Severity.WARNING, what, remedy, 0, 0);
  }

  Loss and(Loss other) {
    return new Loss(severity, what, remedy, count + other.count, bytes + other.bytes);
  }

  Diagnostic diagnostic() {
    return new Diagnostic(severity, "", what + extent(), remedy);
  }

  private String extent() {
    if (count == 0) {
      return "";
    }
    String size = bytes == 0 ? "" : String.format(Locale.ROOT, ", %,d bytes a rank", bytes);
    return String.format(Locale.ROOT, " (%,d of them%s)", count, size);
  }
}
