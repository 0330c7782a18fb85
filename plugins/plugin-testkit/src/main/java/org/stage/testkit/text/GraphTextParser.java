package org.stage.testkit.text;

import org.stage.api.graph.Module;
import org.stage.api.text.Cursor;
import org.stage.api.text.GraphText;

/** Reads what {@link GraphText} prints, which describes the form. */
public final class GraphTextParser {
  private GraphTextParser() {}

  /**
   * Reads a module.
   *
   * @throws IllegalArgumentException if a line is not of the form: the message has its number,
   *     quotes it and says what was expected; or if the module is not legal, as {@link Module} says
   */
  public static Module parse(String text) {
    return new ModuleParser().parse(Cursor.lines(text.replaceAll("#[^\\n\\r]*", "")));
  }
}
