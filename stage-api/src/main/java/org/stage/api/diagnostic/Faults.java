package org.stage.api.diagnostic;

import java.util.ArrayList;
import java.util.List;

/** What a check finds wrong, up to a number that somebody may still read; the rest is counted. */
public final class Faults {
  private final int limit;
  private final List<Diagnostic> found = new ArrayList<>();
  private long errors;
  private long dropped;

  /**
   * None so far.
   *
   * @param limit how many are kept at most
   */
  public Faults(int limit) {
    this.limit = limit;
  }

  /** Adds an error; the parameters are those of a {@link Diagnostic}. */
  public void error(String source, String message, String remedy) {
    errors++;
    add(Diagnostic.error(source, message, remedy));
  }

  /** Adds a warning; the parameters are those of a {@link Diagnostic}. */
  public void warning(String source, String message, String remedy) {
    add(Diagnostic.warning(source, message, remedy));
  }

  /** How many errors there were, kept or not. */
  public long errors() {
    return errors;
  }

  /** Those kept, in order; and one more error that says how many are not. */
  public List<Diagnostic> all() {
    List<Diagnostic> all = new ArrayList<>(found);
    if (dropped > 0) {
      all.add(
          Diagnostic.error(
              "", dropped + " more faults were found", "Mend the first ones, try again."));
    }
    return List.copyOf(all);
  }

  private void add(Diagnostic diagnostic) {
    if (found.size() < limit) {
      found.add(diagnostic);
    } else {
      dropped++;
    }
  }
}
