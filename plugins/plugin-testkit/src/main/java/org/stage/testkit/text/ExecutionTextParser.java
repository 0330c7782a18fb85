package org.stage.testkit.text;

import java.util.List;
import org.stage.api.text.Cursor;
import org.stage.api.text.ExecutionText;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Workload;

/** Reads what {@link ExecutionText} prints, which describes the form. */
public final class ExecutionTextParser {
  private ExecutionTextParser() {}

  /**
   * Reads a graph.
   *
   * @throws IllegalArgumentException if a line is not of the form: the message has its number,
   *     quotes it and says what was expected; or if the graph is not legal, as {@link
   *     ExecutionGraph#verify} says
   */
  public static ExecutionGraph parse(String text) {
    GraphParser parser = new GraphParser();
    List<Cursor> lines = Cursor.lines(text);
    lines.forEach(parser::line);
    return parser.graph();
  }

  /**
   * Reads a workload with its classes.
   *
   * @throws IllegalArgumentException if a line is not of the form: the message has its number,
   *     quotes it and says what was expected; or if a graph or the workload is not legal, as {@link
   *     Workload#verify} says
   */
  public static Workload parseWorkload(String text) {
    return new WorkloadParser(Cursor.lines(text)).parse();
  }
}
