package org.stage.numeric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import org.stage.api.graph.Operand;
import org.stage.api.graph.Operator;

/** What each operator kind means, on dense tensors. Written for clarity, from the formulas. */
final class Kernels {
  private final Operator operator;
  private final List<Dense> in;
  private final Device device;

  private Kernels(Operator operator, List<Dense> in, Device device) {
    this.operator = operator;
    this.in = in;
    this.device = device;
  }

  static List<Dense> run(Operator operator, List<Dense> in, Device device) {
    return new Kernels(operator, in, device).run();
  }

  private List<Dense> run() {
    return switch (operator.kind().text()) {
      case "einsum" -> List.of(einsum(in(0), in.get(0), in(1), in.get(1), operator.output()));
      case "quantize" -> List.of(scaled(in.get(0), 1 / in.get(1).data[0]));
      case "quantize_blocks" -> EightBits.castInBlocks(in.get(0), device.sizes(out(1)));
      case "scaled_einsum" ->
          List.of(
              einsum(
                  in(0),
                  EightBits.uncast(in.get(0), in.get(2)),
                  in(1),
                  EightBits.uncast(in.get(1), in.get(3)),
                  operator.output()));
      case "add" -> List.of(add());
      case "reduce_sum" -> List.of(reduce(0, Double::sum));
      case "reduce_max" -> List.of(reduce(Double.NEGATIVE_INFINITY, Math::max));
      case "constrain", "redistribute", "quantize_gradient", "pin" -> in;
      case "split" -> split();
      case "concat" -> List.of(concat());
      case "softmax" -> List.of(Rows.softmax(in.get(0)));
      case "softmax_grad" -> List.of(Rows.softmaxGrad(in.get(0), in.get(1)));
      case "layer_norm" -> List.of(Rows.norm(in, true));
      case "rms_norm" -> List.of(Rows.norm(in, false));
      case "layer_norm_grad" -> Rows.normGrad(in, true, operator.outputs().size() > 2);
      case "rms_norm_grad" -> Rows.normGrad(in, false, false);
      case "gelu" -> List.of(in.get(0).with(in.get(0), (x, same) -> Pointwise.gelu(x)));
      case "gelu_grad" -> List.of(in.get(0).with(in.get(1), (dy, x) -> dy * Pointwise.dGelu(x)));
      case "swiglu" ->
          List.of(weighted(in.get(0).with(in.get(1), (g, u) -> Pointwise.silu(g) * u), 2));
      case "swiglu_grad" -> swigluGrad();
      case "scaled_swish" -> List.of(scaledSwish());
      case "scaled_swish_grad" -> scaledSwishGrad();
      case "rotary" -> List.of(rotate(1));
      case "rotary_grad" -> List.of(rotate(-1));
      case "lookup" -> List.of(lookup());
      case "lookup_grad" -> List.of(lookupGrad());
      case "target_logit" -> List.of(targetLogit());
      case "exp_sum" -> List.of(expSum());
      case "negative_log_likelihood" ->
          List.of(in.get(0).with(in.get(1), (sum, target) -> Math.log(sum) - target));
      case "cross_entropy_grad" -> List.of(crossEntropyGrad());
      case "attention" -> attention();
      case "attention_grad" -> attentionGrad();
      case "attention_merge" -> attentionMerge();
      case "dropout" -> dropout();
      case "dispatch" -> List.of(new ExpertKernels(operator, in, device).dispatch());
      case "dispatch_grad" -> List.of(new ExpertKernels(operator, in, device).dispatchGrad());
      case "combine" -> List.of(new ExpertKernels(operator, in, device).combine());
      case "combine_grad" -> new ExpertKernels(operator, in, device).combineGrad();
      case "dropout_grad" -> List.of(in.get(0).with(in.get(1), (dy, mask) -> 2 * dy * mask));
      default -> throw new IllegalArgumentException("what does " + operator + " compute?");
    };
  }

  private Dense scaledSwish() {
    Dense y = Dense.zeros(in.get(0).shape);
    Arrays.setAll(y.data, i -> in.get(1).data[i % y.width()] * Pointwise.silu(in.get(0).data[i]));
    return y;
  }

  private List<Dense> scaledSwishGrad() {
    Dense dx = Dense.zeros(in.get(1).shape);
    Dense dscale = Dense.zeros(in.get(2).shape);
    for (int i = 0; i < dx.data.length; i++) {
      double dy = in.get(0).data[i];
      double x = in.get(1).data[i];
      dx.data[i] = dy * in.get(2).data[i % dx.width()] * Pointwise.dSilu(x);
      dscale.data[i % dx.width()] += dy * Pointwise.silu(x);
    }
    return List.of(dx, dscale);
  }

  /** Each output has as much of the last axis as the device has of its own. */
  private List<Dense> split() {
    List<Dense> parts = new ArrayList<>();
    int first = 0;
    for (Operand output : operator.outputs()) {
      int width = device.size(output.axes().get(output.axes().size() - 1));
      parts.add(in.get(0).columns(first, width));
      first += width;
    }
    return parts;
  }

  private Dense concat() {
    Operand out = operator.output();
    int rank = out.axes().size();
    Space rows = new Space();
    for (int i = 0; i < in.size(); i++) {
      for (int d = 0; d < in.get(i).rank() - 1; d++) {
        rows.with(in(i).axes().get(d), in.get(i).shape[d]);
      }
    }
    Operand row = new Operand(out.tensor(), out.axes().subList(0, rank - 1));
    int width = in.stream().mapToInt(Dense::width).sum();
    int[] shape =
        IntStream.range(0, rank)
            .map(d -> d == rank - 1 ? width : rows.size(row.axes().get(d)))
            .toArray();
    Dense result = Dense.zeros(shape);
    rows.forEach(
        p -> {
          int at = rows.offset(row, p) * width;
          for (int i = 0; i < in.size(); i++) {
            List<String> axes = in(i).axes();
            Operand from = new Operand(in(i).tensor(), axes.subList(0, axes.size() - 1));
            int own = in.get(i).width();
            System.arraycopy(in.get(i).data, rows.offset(from, p) * own, result.data, at, own);
            at += own;
          }
        });
    return result;
  }

  private List<String> out(int index) {
    return operator.outputs().get(index).axes();
  }

  private Operand in(int index) {
    return operator.inputs().get(index);
  }

  private Dense einsum(Operand a, Dense x, Operand b, Dense y, Operand out) {
    Space space = new Space().with(a, x).with(b, y);
    if (out.axes().contains("core_kv_heads") && !space.has("core_kv_heads")) {
      space.with("core_kv_heads", device.size("core_kv_heads"));
    }
    return einsum(space.grouped(), a, x, b, y, out);
  }

  private static Dense einsum(Space space, Operand a, Dense x, Operand b, Dense y, Operand out) {
    Dense result = space.zeros(out);
    space.forEach(
        p ->
            result.data[space.offset(out, p)] +=
                x.data[space.offset(a, p)] * y.data[space.offset(b, p)]);
    return result;
  }

  private Dense add() {
    Space space = new Space();
    for (int i = 0; i < in.size(); i++) {
      space.with(in(i), in.get(i));
    }
    Dense result = space.zeros(operator.output());
    space.forEach(
        p -> {
          for (int i = 0; i < in.size(); i++) {
            result.data[space.offset(operator.output(), p)] +=
                in.get(i).data[space.offset(in(i), p)];
          }
        });
    return result;
  }

  private Dense reduce(double start, DoubleBinaryOperator join) {
    Space space = new Space().with(in(0), in.get(0));
    Dense result = space.zeros(operator.output());
    Arrays.fill(result.data, start);
    space.forEach(
        p -> {
          int at = space.offset(operator.output(), p);
          result.data[at] =
              join.applyAsDouble(result.data[at], in.get(0).data[space.offset(in(0), p)]);
        });
    return result;
  }

  private List<Dense> swigluGrad() {
    Dense gate = in.get(1);
    Dense up = in.get(2);
    Dense dy = weighted(in.get(0), 3);
    Dense dGate = dy.with(up, (a, b) -> a * b).with(gate, (a, g) -> a * Pointwise.dSilu(g));
    Dense dUp = dy.with(gate, (a, g) -> a * Pointwise.silu(g));
    if (in.size() < 4) {
      return List.of(dGate, dUp);
    }
    Dense y = gate.with(up, (g, u) -> Pointwise.silu(g) * u);
    Dense dWeights = Dense.zeros(in.get(3).shape);
    for (int i = 0; i < y.data.length; i++) {
      dWeights.data[i / y.width()] += in.get(0).data[i] * y.data[i];
    }
    return List.of(dGate, dUp, dWeights);
  }

  /** Each row of {@code x} times its weight, the input {@code at} if there is one. */
  private Dense weighted(Dense x, int at) {
    Dense y = Dense.zeros(x.shape);
    Arrays.setAll(y.data, i -> x.data[i] * (at < in.size() ? in.get(at).data[i / x.width()] : 1));
    return y;
  }

  /** Turns each pair of channels by an angle of its own at each position. */
  private Dense rotate(int direction) {
    Dense x = in.get(0);
    Space space = new Space().with(in(0), x);
    Dense y = Dense.zeros(x.shape);
    int half = x.width() / 2;
    space.forEach(
        p -> {
          int channel = space.index(in(0).axes().get(x.rank() - 1), p);
          int at = space.offset(in(0), p);
          int position = device.first("seq") + space.index("seq", p) + 1;
          double angle = direction * position / Math.pow(3, channel % half);
          double other = channel < half ? -x.data[at + half] : x.data[at - half];
          y.data[at] = x.data[at] * Math.cos(angle) + other * Math.sin(angle);
        });
    return y;
  }

  /** Rows that other devices have are zero here. */
  private Dense lookup() {
    Dense table = in.get(0);
    Dense indices = in.get(1);
    int width = table.width();
    int[] shape = IntStream.concat(IntStream.of(indices.shape), IntStream.of(width)).toArray();
    Dense result = Dense.zeros(shape);
    for (int i = 0; i < indices.data.length; i++) {
      int row = (int) indices.data[i] - device.first(in(0).axes().get(0));
      if (0 <= row && row < table.shape[0]) {
        System.arraycopy(table.data, row * width, result.data, i * width, width);
      }
    }
    return result;
  }

  private Dense lookupGrad() {
    Dense dy = in.get(0);
    Dense indices = in.get(1);
    List<String> axes = operator.output().axes();
    Dense result = Dense.zeros(device.size(axes.get(0)), dy.width());
    for (int i = 0; i < dy.data.length; i++) {
      int row = (int) indices.data[i / dy.width()] - device.first(axes.get(0));
      if (0 <= row && row < result.shape[0]) {
        result.data[row * dy.width() + i % dy.width()] += dy.data[i];
      }
    }
    return result;
  }

  private Dense targetLogit() {
    Dense logits = in.get(0);
    Dense result = Dense.zeros(in.get(1).shape);
    for (int i = 0; i < result.data.length; i++) {
      int label = (int) in.get(1).data[i] - device.first("vocab");
      if (0 <= label && label < logits.width()) {
        result.data[i] = logits.data[i * logits.width() + label] - in.get(2).data[i];
      }
    }
    return result;
  }

  private Dense expSum() {
    Dense logits = in.get(0);
    Dense sum = Dense.zeros(in.get(1).shape);
    for (int i = 0; i < logits.data.length; i++) {
      int token = i / logits.width();
      sum.data[token] += Math.exp(logits.data[i] - in.get(1).data[token]);
    }
    return sum;
  }

  private Dense crossEntropyGrad() {
    Dense logits = in.get(0);
    Dense result = Dense.zeros(logits.shape);
    for (int i = 0; i < result.data.length; i++) {
      int token = i / logits.width();
      int entry = i % logits.width() + device.first("vocab");
      double share = Math.exp(logits.data[i] - in.get(2).data[token]) / in.get(3).data[token];
      result.data[i] = share - (entry == (int) in.get(1).data[token] ? 1 : 0);
    }
    return result;
  }

  /** The mask is drawn from the place in the whole tensor, so that devices agree on it. */
  private List<Dense> dropout() {
    Space space = new Space().with(in(0), in.get(0));
    Dense mask = Dense.zeros(in.get(0).shape);
    space.forEach(
        p -> {
          int place = 0;
          for (String axis : in(0).axes()) {
            place = 31 * place + 7 * (device.first(axis) + space.index(axis, p));
          }
          mask.data[space.offset(in(0), p)] = Math.floorMod((place * 0x9E3779B9) >> 7, 2);
        });
    return List.of(in.get(0).with(mask, (x, m) -> 2 * x * m), mask);
  }

  private List<Dense> attention() {
    Operand score = score();
    Dense scores = einsum(in(0), in.get(0), in(1), in.get(1), score);
    Dense values = einsum(score, Rows.softmax(scores), in(2), in.get(2), operator.output());
    return List.of(values, Rows.logSumExp(scores));
  }

  private List<Dense> attentionGrad() {
    Operand score = score();
    Dense scores = einsum(in(1), in.get(1), in(2), in.get(2), score);
    // Softmax by its log-sum-exp, which may be that of more keys than are here.
    Dense shares = perRow(scores, in.get(5), (x, lse) -> Math.exp(x - lse));
    Dense dShares = einsum(in(0), in.get(0), in(3), in.get(3), score);
    Dense dots = einsum(in(0), in.get(0), in(4), in.get(4), in(5));
    Dense dScores = perRow(dShares, dots, (dy, dot) -> dy - dot).with(shares, (x, y) -> x * y);
    List<Operand> out = operator.outputs();
    Space space = new Space().with(in(1), in.get(1)).with(in(2), in.get(2)).grouped();
    List<Dense> gradients = new ArrayList<>();
    gradients.add(einsum(space, score, dScores, in(2), in.get(2), out.get(0)));
    gradients.add(einsum(space, in(1), in.get(1), score, dScores, out.get(1)));
    Space values = new Space().with(in(0), in.get(0)).with(in(3), in.get(3)).grouped();
    gradients.add(einsum(values, score, shares, in(0), in.get(0), out.get(2)));
    return gradients;
  }

  private static Dense perRow(Dense x, Dense ofRow, DoubleBinaryOperator f) {
    Dense result = Dense.zeros(x.shape);
    Arrays.setAll(result.data, i -> f.applyAsDouble(x.data[i], ofRow.data[i / x.width()]));
    return result;
  }

  private List<Dense> attentionMerge() {
    Dense one = in.get(1);
    Dense other = in.get(3);
    Dense lse = one.with(other, (a, b) -> Math.log(Math.exp(a) + Math.exp(b)));
    Dense joined = Dense.zeros(in.get(0).shape);
    Space space = new Space().with(in(0), in.get(0)).with(in(1), one);
    space.forEach(
        p -> {
          int row = space.offset(in(1), p);
          int at = space.offset(in(0), p);
          joined.data[at] =
              in.get(0).data[at] * Math.exp(one.data[row] - lse.data[row])
                  + in.get(2).data[at] * Math.exp(other.data[row] - lse.data[row]);
        });
    return List.of(joined, lse);
  }

  private static Dense scaled(Dense x, double factor) {
    return x.with(x, (value, same) -> value * factor);
  }

  private static Operand score() {
    return new Operand("scores", List.of("batch", "core_heads", "core_seq", "kv_seq"));
  }
}
