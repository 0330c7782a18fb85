package org.stage.numeric;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;

/** A tensor of doubles, the last dimension varying fastest. */
public final class Dense {
  public final int[] shape;
  public final double[] data;

  private Dense(int[] shape, double[] data) {
    this.shape = shape;
    this.data = data;
  }

  public static Dense zeros(int... shape) {
    return new Dense(shape.clone(), new double[Arrays.stream(shape).reduce(1, (a, b) -> a * b)]);
  }

  public static Dense random(Random random, int... shape) {
    Dense dense = zeros(shape);
    Arrays.setAll(dense.data, i -> random.nextDouble() * 2 - 1);
    return dense;
  }

  int rank() {
    return shape.length;
  }

  /** Length of the last dimension. */
  int width() {
    return shape[shape.length - 1];
  }

  /** What {@code operator} makes of each two elements. */
  public Dense with(Dense other, DoubleBinaryOperator operator) {
    if (!Arrays.equals(shape, other.shape)) {
      throw new IllegalArgumentException(this + " and " + other + " differ in shape");
    }
    Dense result = zeros(shape);
    Arrays.setAll(result.data, i -> operator.applyAsDouble(data[i], other.data[i]));
    return result;
  }

  /** Part {@code index} of {@code parts} equal parts along a dimension. */
  Dense part(int dimension, int index, int parts) {
    if (shape[dimension] % parts != 0) {
      throw new IllegalArgumentException(parts + " does not divide dimension " + dimension + this);
    }
    int[] cut = shape.clone();
    cut[dimension] = shape[dimension] / parts;
    Dense result = zeros(cut);
    int inner = inner(dimension);
    int run = cut[dimension] * inner;
    for (int i = 0; i < result.data.length; i++) {
      result.data[i] = data[i / run * run * parts + index * run + i % run];
    }
    return result;
  }

  /** {@code count} entries of the last dimension from {@code first} on. */
  Dense columns(int first, int count) {
    int[] cut = shape.clone();
    cut[shape.length - 1] = count;
    Dense result = zeros(cut);
    Arrays.setAll(result.data, i -> data[i / count * width() + first + i % count]);
    return result;
  }

  static Dense concatenate(List<Dense> parts, int dimension) {
    Dense first = parts.get(0);
    int[] shape = first.shape.clone();
    shape[dimension] *= parts.size();
    Dense result = zeros(shape);
    int run = first.shape[dimension] * first.inner(dimension);
    for (int i = 0; i < result.data.length; i++) {
      Dense part = parts.get(i / run % parts.size());
      result.data[i] = part.data[i / run / parts.size() * run + i % run];
    }
    return result;
  }

  /** Requires that shapes agree, and elements to {@code tolerance}, relative above 1. */
  static void requireClose(String what, Dense actual, Dense expected, double tolerance) {
    if (!Arrays.equals(actual.shape, expected.shape)) {
      throw new AssertionError(what + ": " + actual + ", expected " + expected);
    }
    for (int i = 0; i < expected.data.length; i++) {
      double scale = Math.max(1, Math.abs(expected.data[i]));
      if (!(Math.abs(actual.data[i] - expected.data[i]) <= tolerance * scale)) {
        throw new AssertionError(
            what + ", element " + i + ": " + actual.data[i] + ", expected " + expected.data[i]);
      }
    }
  }

  private int inner(int dimension) {
    int inner = 1;
    for (int d = dimension + 1; d < shape.length; d++) {
      inner *= shape[d];
    }
    return inner;
  }

  @Override
  public String toString() {
    return "tensor" + Arrays.toString(shape);
  }
}
