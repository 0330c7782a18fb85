package org.stage.numeric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Operators that work along the last dimension: softmax and the norms. */
final class Rows {
  private static final double EPSILON = 1e-5;

  private Rows() {}

  static Dense softmax(Dense x) {
    Dense lse = logSumExp(x);
    Dense y = Dense.zeros(x.shape);
    Arrays.setAll(y.data, i -> Math.exp(x.data[i] - lse.data[i / x.width()]));
    return y;
  }

  static Dense logSumExp(Dense x) {
    Dense lse = Dense.zeros(Arrays.copyOf(x.shape, x.rank() - 1));
    for (int i = 0; i < x.data.length; i++) {
      lse.data[i / x.width()] += Math.exp(x.data[i]);
    }
    Arrays.setAll(lse.data, i -> Math.log(lse.data[i]));
    return lse;
  }

  /** {@code y (dy - sum(dy y))}. */
  static Dense softmaxGrad(Dense dy, Dense y) {
    double[] dot = new double[y.data.length / y.width()];
    for (int i = 0; i < y.data.length; i++) {
      dot[i / y.width()] += dy.data[i] * y.data[i];
    }
    Dense dx = Dense.zeros(y.shape);
    Arrays.setAll(dx.data, i -> y.data[i] * (dy.data[i] - dot[i / y.width()]));
    return dx;
  }

  /**
   * {@code (x, weight[, bias])}; a layer norm subtracts the mean, the root mean square does not.
   */
  static Dense norm(List<Dense> in, boolean centred) {
    Dense x = in.get(0);
    int width = x.width();
    Dense y = normalized(x, centred, new double[x.data.length / width]);
    for (int i = 0; i < y.data.length; i++) {
      y.data[i] *= in.get(1).data[i % width];
      y.data[i] += in.size() > 2 ? in.get(2).data[i % width] : 0;
    }
    return y;
  }

  /** Each row over its deviation, the reciprocal of which is left in {@code scale}. */
  private static Dense normalized(Dense x, boolean centred, double[] scale) {
    int width = x.width();
    Dense y = Dense.zeros(x.shape);
    for (int row = 0; row < scale.length; row++) {
      double[] values = Arrays.copyOfRange(x.data, row * width, (row + 1) * width);
      double mean = centred ? Arrays.stream(values).average().orElse(0) : 0;
      double square = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / width;
      scale[row] = 1 / Math.sqrt(square + EPSILON);
      for (int i = 0; i < width; i++) {
        y.data[row * width + i] = (values[i] - mean) * scale[row];
      }
    }
    return y;
  }

  /** {@code (dy, x, weight) -> (dx, dweight[, dbias])}. */
  static List<Dense> normGrad(List<Dense> in, boolean centred, boolean bias) {
    Dense dy = in.get(0);
    Dense weight = in.get(2);
    int width = dy.width();
    double[] scale = new double[dy.data.length / width];
    Dense unit = normalized(in.get(1), centred, scale);
    Dense dx = Dense.zeros(dy.shape);
    Dense dWeight = Dense.zeros(width);
    Dense dBias = Dense.zeros(width);
    for (int row = 0; row < scale.length; row++) {
      double sum = 0;
      double dot = 0;
      for (int i = row * width; i < (row + 1) * width; i++) {
        double dUnit = dy.data[i] * weight.data[i % width];
        sum += centred ? dUnit : 0;
        dot += dUnit * unit.data[i];
        dWeight.data[i % width] += dy.data[i] * unit.data[i];
        dBias.data[i % width] += dy.data[i];
      }
      for (int i = row * width; i < (row + 1) * width; i++) {
        double dUnit = dy.data[i] * weight.data[i % width];
        dx.data[i] = scale[row] * (dUnit - sum / width - unit.data[i] * dot / width);
      }
    }
    List<Dense> gradients = new ArrayList<>(List.of(dx, dWeight));
    if (bias) {
      gradients.add(dBias);
    }
    return gradients;
  }
}
