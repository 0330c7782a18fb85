package org.stage.backend.dot.check;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.stage.api.diagnostic.Faults;

/** Checks one drawing by the grammar of DOT; for one use. */
public final class DrawingCheck {
  /** What Graphviz lays out in a lifetime is far smaller. */
  private static final long MAX_BYTES = 64L << 20;

  /** Drawings have one frame in another at most. */
  private static final int MAX_DEPTH = 100;

  private static final Set<String> DEFAULTS = Set.of("graph", "node", "edge");

  private final Path file;
  private final Faults faults;
  private final Set<String> boxes = new HashSet<>();
  private final Set<String> ends = new LinkedHashSet<>();
  private long edges;

  /** Of {@code file}, whose faults go to {@code faults}. */
  public DrawingCheck(Path file, Faults faults) {
    this.file = file;
    this.faults = faults;
  }

  /** The drawings in {@code directory}, by name. */
  public static List<Path> find(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".dot") && Files.isRegularFile(file))
          .sorted()
          .toList();
    }
  }

  /** Boxes read. */
  public int boxes() {
    return boxes.size();
  }

  /** Edges read. */
  public long edges() {
    return edges;
  }

  /** Reads the file. */
  public void run() throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      faults.error(
          file.toString(), "is larger than " + MAX_BYTES + " bytes", "Draw less of the graph.");
      return;
    }
    try {
      Tokens tokens = new Tokens(Files.readString(file));
      tokens.takes("strict");
      if (!tokens.takes("digraph")) {
        tokens.expect("graph");
      }
      if (!tokens.peek().equals("{")) {
        tokens.id();
      }
      tokens.expect("{");
      statements(tokens, 0);
      if (!tokens.peek().equals(Tokens.END)) {
        throw tokens.fault("there is more behind the end of the graph");
      }
    } catch (DrawingException e) {
      faults.error(
          file + ", line " + e.line(), String.valueOf(e.getMessage()), "Write the drawing anew.");
    } catch (CharacterCodingException e) {
      faults.error(file.toString(), "is no text in UTF-8", "Write the drawing anew.");
    }
    ends.removeAll(boxes);
    for (String end : ends) {
      faults.warning(
          file.toString(), "an edge ends at " + end + ", which is no box", "Write that too.");
    }
  }

  /** Reads up to the brace that ends them. */
  private void statements(Tokens tokens, int depth) throws DrawingException {
    if (depth > MAX_DEPTH) {
      throw tokens.fault("frames stand in one another without end");
    }
    while (!tokens.takes("}")) {
      if (tokens.takes("subgraph")) {
        if (!tokens.peek().equals("{")) {
          tokens.id();
        }
        tokens.expect("{");
        statements(tokens, depth + 1);
      } else if (!tokens.takes(";")) {
        statement(tokens);
      }
    }
  }

  private void statement(Tokens tokens) throws DrawingException {
    String first = tokens.id();
    if (tokens.takes("=")) {
      tokens.id();
      return;
    }
    boolean edge = false;
    String end = first;
    while (tokens.takes("->") || tokens.takes("--")) {
      edge = true;
      edges++;
      ends.add(end);
      end = tokens.id();
      ends.add(end);
    }
    if (!edge && !DEFAULTS.contains(first)) {
      boxes.add(first);
    }
    while (tokens.takes("[")) {
      attributes(tokens);
    }
  }

  private static void attributes(Tokens tokens) throws DrawingException {
    while (!tokens.takes("]")) {
      tokens.id();
      tokens.expect("=");
      tokens.id();
      if (!tokens.takes(",")) {
        tokens.takes(";");
      }
    }
  }
}
