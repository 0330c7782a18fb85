package org.stage.numeric;

import java.util.ArrayList;
import java.util.List;
import org.stage.api.graph.Operator;

/**
 * Tokens to rows of experts and back, where every expert meets every token once. An expert's rows
 * are {@code [expert, row, width]} or, of gates, {@code [expert, row]}; tokens are {@code [.., ..,
 * width]} or, gates, {@code [.., .., expert]}.
 */
final class ExpertKernels {
  private final Operator operator;
  private final List<Dense> in;
  private final Device device;

  ExpertKernels(Operator operator, List<Dense> in, Device device) {
    this.operator = operator;
    this.in = in;
    this.device = device;
  }

  /** {@code (tokens, gates) -> rows}. */
  Dense dispatch() {
    Dense tokens = in.get(0);
    Dense rows = Dense.zeros(device.sizes(operator.output().axes()));
    visit(rows, (at, expert, token) -> rows.data[at.row] = tokens.data[at.token]);
    return rows;
  }

  /** {@code (drows, gates) -> dtokens}. */
  Dense dispatchGrad() {
    Dense rows = in.get(0);
    Dense tokens = Dense.zeros(device.sizes(operator.output().axes()));
    visit(rows, (at, expert, token) -> tokens.data[at.token] += rows.data[at.row]);
    return tokens;
  }

  /** {@code (rows[, gates]) -> tokens}. */
  Dense combine() {
    Dense rows = in.get(0);
    Dense tokens = Dense.zeros(device.sizes(operator.output().axes()));
    visit(
        rows,
        (at, expert, token) ->
            tokens.data[at.token] += rows.data[at.row] * gate(in.size() - 1, expert, token));
    return tokens;
  }

  /** {@code (dtokens[, rows, gates]) -> (drows[, dgates])}. */
  List<Dense> combineGrad() {
    Dense tokens = in.get(0);
    Dense dRows = Dense.zeros(device.sizes(operator.outputs().get(0).axes()));
    List<Dense> gradients = new ArrayList<>(List.of(dRows));
    visit(
        dRows,
        (at, expert, token) ->
            dRows.data[at.row] = tokens.data[at.token] * gate(in.size() - 1, expert, token));
    if (in.size() > 1) {
      Dense rows = in.get(1);
      Dense dGates = Dense.zeros(in.get(2).shape);
      int experts = dGates.width();
      visit(
          rows,
          (at, expert, token) ->
              dGates.data[token * experts + expert] += tokens.data[at.token] * rows.data[at.row]);
      gradients.add(dGates);
    }
    return gradients;
  }

  /** The weight of an expert for a token, by the gates that are input {@code at}; 1 without. */
  private double gate(int at, int expert, int token) {
    Dense gates = in.get(at);
    return at == 0 ? 1 : gates.data[token * gates.width() + expert];
  }

  private record At(int row, int token) {}

  private interface Visit {
    void element(At at, int expert, int token);
  }

  /** Visits each element of rows, with that of the tokens. */
  private void visit(Dense rows, Visit visit) {
    boolean gates = rows.rank() == 2;
    int experts = rows.shape[0];
    int width = gates ? 1 : rows.width();
    for (int expert = 0; expert < experts; expert++) {
      for (int row = 0; row < rows.shape[1]; row++) {
        int token = device.token(row);
        for (int i = 0; i < width; i++) {
          At at =
              new At(
                  (expert * rows.shape[1] + row) * width + i,
                  gates ? token * experts + expert : token * width + i);
          visit.element(at, expert, token);
        }
      }
    }
  }
}
