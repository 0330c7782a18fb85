package org.stage.backend.dot.format;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes one directed graph in the DOT language of Graphviz. */
public final class DotWriter implements AutoCloseable {
  private final Writer out;
  private String indent = "  ";

  /** Begins {@code file} with a graph that is called {@code title} and drawn downwards. */
  public DotWriter(Path file, String title) throws IOException {
    out = Files.newBufferedWriter(file);
    out.write("digraph {\n");
    // without limits, the layout of some hundred boxes with long edges takes over ten minutes
    line(
        "graph [label="
            + quoted(title)
            + ", labelloc=t, fontname=Helvetica, rankdir=TB, nslimit=0.5, nslimit1=1]");
    line("node [shape=box, style=\"filled,rounded\", fillcolor=white, fontname=Helvetica]");
    line("edge [fontname=Helvetica, fontsize=10]");
  }

  /** Begins the one frame, around the nodes up to {@link #endFrame}. */
  public void beginFrame(String label) throws IOException {
    line("subgraph cluster_frame {");
    indent = "    ";
    line("label=" + quoted(label));
    line("color=gray");
  }

  /** Ends the frame. */
  public void endFrame() throws IOException {
    indent = "  ";
    line("}");
  }

  /**
   * A node.
   *
   * @param label its lines
   * @param attributes any texts, in this order
   */
  public void node(int number, List<String> label, Map<String, String> attributes)
      throws IOException {
    String lines =
        label.stream().map(DotWriter::escaped).collect(Collectors.joining("\\n", "\"", "\""));
    line("n" + number + " [label=" + lines + more(attributes) + "]");
  }

  /** An edge; {@code attributes} are any texts, in this order. */
  public void edge(int from, int to, Map<String, String> attributes) throws IOException {
    String list = more(attributes);
    line("n" + from + " -> n" + to + (list.isEmpty() ? "" : " [" + list.substring(2) + "]"));
  }

  private static String more(Map<String, String> attributes) {
    return attributes.entrySet().stream()
        .map(attribute -> ", " + attribute.getKey() + "=" + quoted(attribute.getValue()))
        .collect(Collectors.joining());
  }

  private static String quoted(String text) {
    return '"' + escaped(text) + '"';
  }

  /** In a label a backslash begins {@code \n} or {@code \N}, so one that is meant is doubled. */
  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\R", " ");
  }

  private void line(String text) throws IOException {
    out.write(indent + text + "\n");
  }

  @Override
  public void close() throws IOException {
    try (out) {
      out.write("}\n");
    }
  }
}
