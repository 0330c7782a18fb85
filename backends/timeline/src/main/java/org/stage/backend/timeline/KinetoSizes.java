package org.stage.backend.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Precision;

/** Sizes of the inputs of kernels, as PyTorch's profiler records them. */
final class KinetoSizes {
  private static final int ACTIVATION = 0;

  /** Bytes of an element of each input, where not all are activations. */
  private static final Map<String, int[]> WIDTHS =
      Map.of(
          OperatorKind.CROSS_ENTROPY_GRAD.text(), new int[] {ACTIVATION, 8, 4, 4},
          OperatorKind.QUANTIZE.text(), new int[] {ACTIVATION, 4},
          OperatorKind.ATTENTION_MERGE.text(), new int[] {ACTIVATION, ACTIVATION, 4, 4},
          OperatorKind.TARGET_LOGIT.text(), new int[] {ACTIVATION, 8, 4},
          OperatorKind.EXP_SUM.text(), new int[] {ACTIVATION, 4},
          OperatorKind.NEGATIVE_LOG_LIKELIHOOD.text(), new int[] {4, 4},
          OperatorKind.DROPOUT_GRAD.text(), new int[] {ACTIVATION, 1});

  private final ExecutionGraph graph;
  private final Precision precision;

  KinetoSizes(ExecutionGraph graph, Precision precision) {
    this.graph = graph;
    this.precision = precision;
  }

  /** Sizes of the inputs of {@code node}. */
  List<List<Long>> of(Node.Compute node) {
    MatrixShape shape = node.shape();
    if (!shape.equals(MatrixShape.NONE)) {
      return products(node.operator(), shape);
    }
    if (node.phase() == Phase.OPTIMIZER) {
      return optimizer(node);
    }
    if (isSum(node)) {
      return List.of(List.of(node.otherFlops()), List.of(node.otherFlops()));
    }
    long[] bytes = reads(node);
    if (is(node, OperatorKind.LAYER_NORM) || is(node, OperatorKind.RMS_NORM)) {
      return List.of(List.of(activations(bytes[0])));
    }
    if (is(node, OperatorKind.LAYER_NORM_GRAD) || is(node, OperatorKind.RMS_NORM_GRAD)) {
      // the gradient, then what was normalised, which is as large
      return List.of(List.of(activations(bytes[0])), List.of(activations(bytes[0])));
    }
    if (is(node, OperatorKind.LOOKUP)) {
      long rows = bytes[bytes.length - 1] / DataType.INT64.bytes();
      long width = activations(node.bytesWritten()) / Math.max(1, rows);
      long entries = bytes[0] / precision.weights().bytes() / Math.max(1, width);
      return List.of(List.of(entries, width), List.of(rows));
    }
    if (is(node, OperatorKind.LOOKUP_GRAD)) {
      long rows = bytes[bytes.length - 1] / DataType.INT64.bytes();
      // besides, a table to which the gradient is added
      long gradient = bytes[bytes.length > 2 ? 1 : 0];
      return List.of(List.of(rows, activations(gradient) / Math.max(1, rows)), List.of(rows));
    }
    return others(node.operator(), bytes);
  }

  private static boolean is(Node.Compute node, OperatorKind kind) {
    return node.operator().equals(kind.text());
  }

  static boolean isScaled(String operator) {
    return operator.equals(OperatorKind.SCALED_EINSUM.text());
  }

  private static List<List<Long>> products(String operator, MatrixShape shape) {
    long b = shape.batch();
    if (operator.equals(OperatorKind.EINSUM.text()) || isScaled(operator)) {
      return b > 1
          ? List.of(List.of(b, shape.m(), shape.k()), List.of(b, shape.k(), shape.n()))
          : List.of(List.of(shape.m(), shape.k()), List.of(shape.k(), shape.n()));
    }
    List<Long> queries = List.of(1L, b, shape.m(), shape.k());
    List<Long> keys = List.of(1L, b, shape.n(), shape.k());
    return operator.equals(OperatorKind.ATTENTION_GRAD.text())
        ? List.of(queries, queries, keys, keys)
        : List.of(queries, keys, keys);
  }

  /** Parameters, gradients and, with Adam, two moments: 12 operations an element, else 2. */
  private static List<List<Long>> optimizer(Node.Compute node) {
    boolean adam = node.operator().equals("adam");
    long elements = node.otherFlops() / (adam ? 12 : 2);
    return Collections.nCopies(adam ? 4 : 2, List.of(elements));
  }

  static boolean isSum(Node.Compute node) {
    return node.operator().equals(OperatorKind.ADD.text())
        && node.otherFlops() > 0
        && node.bytesRead() == 2 * node.bytesWritten();
  }

  private long activations(long bytes) {
    return bytes / precision.activations().bytes();
  }

  /** Bytes of each tensor that it reads, most first; of all together where the graph has none. */
  private long[] reads(Node.Compute node) {
    long[] bytes =
        node.header().reads().stream()
            .filter(tensor -> tensor < graph.tensors().size())
            .mapToLong(tensor -> graph.tensors().get(tensor).bytes())
            .map(each -> -each)
            .sorted()
            .map(each -> -each)
            .toArray();
    return bytes.length == 0 ? new long[] {node.bytesRead()} : bytes;
  }

  /** Of each input its elements: what is no activation is so by the operator's definition. */
  private List<List<Long>> others(String operator, long[] bytes) {
    int[] widths = new int[bytes.length];
    Arrays.fill(widths, precision.activations().bytes());
    int[] special = WIDTHS.getOrDefault(operator, new int[0]);
    for (int i = 0; i < Math.min(special.length, widths.length); i++) {
      widths[i] = special[i] == ACTIVATION ? widths[i] : special[i];
    }
    List<List<Long>> sizes = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      sizes.add(List.of(bytes[i] / widths[i]));
    }
    return sizes;
  }
}
