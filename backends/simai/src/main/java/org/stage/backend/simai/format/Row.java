package org.stage.backend.simai.format;

import java.util.StringJoiner;

/**
 * One row: what SimAI calls a layer.
 *
 * @param name no blanks; need not be unique
 * @param forward forward pass
 * @param inputGrad gradients of activations
 * @param weightGrad gradients of parameters, and what the data-parallel group sends
 */
public record Row(String name, Pass forward, Pass inputGrad, Pass weightGrad) {
  /** A row of this name does not count into the pipeline's bubble. */
  public static final String EMBEDDING = "embedding_layer";

  /** What the weights' update takes; SimAI reads it and does nothing with it. */
  private static final String UPDATE = "100";

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if SimAI would read it as two fields
   */
  public Row {
    if (!name.matches("\\S+")) {
      throw new IllegalArgumentException("a row called '" + name + "'");
    }
  }

  /** The twelve fields with tabs between them, as AICB writes them. */
  String line() {
    StringJoiner line = new StringJoiner("\t");
    line.add(name).add("-1");
    add(line, forward);
    add(line, inputGrad);
    add(line, weightGrad);
    return line.add(UPDATE).toString();
  }

  private static void add(StringJoiner line, Pass pass) {
    line.add(Long.toString(pass.nanoseconds()))
        .add(pass.comm().word())
        .add(Long.toString(pass.comm().bytes()));
  }
}
