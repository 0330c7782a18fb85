package org.stage.backend.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Precision;

/**
 * Kernels as operators of PyTorch, with names, input sizes and types as its profiler records them.
 * What PyTorch has no operator for is called as here, as a user's own operators are: {@code
 * stage::rotary}.
 */
final class KinetoOperators {
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("attention", "aten::_scaled_dot_product_flash_attention"),
          Map.entry("attention_grad", "aten::_scaled_dot_product_flash_attention_backward"),
          Map.entry("layer_norm", "aten::native_layer_norm"),
          Map.entry("layer_norm_grad", "aten::native_layer_norm_backward"),
          Map.entry("rms_norm", "aten::_fused_rms_norm"),
          Map.entry("rms_norm_grad", "aten::_fused_rms_norm_backward"),
          Map.entry("lookup", "aten::embedding"),
          Map.entry("lookup_grad", "aten::embedding_dense_backward"),
          Map.entry("add", "aten::add"),
          Map.entry("gelu", "aten::gelu"),
          Map.entry("gelu_grad", "aten::gelu_backward"),
          Map.entry("softmax", "aten::_softmax"),
          Map.entry("softmax_grad", "aten::_softmax_backward_data"),
          Map.entry("negative_log_likelihood", "aten::nll_loss_forward"),
          Map.entry("adam", "aten::_fused_adamw_"),
          Map.entry("sgd", "aten::_fused_sgd_"));

  private final ExecutionGraph graph;
  private final Precision precision;

  KinetoOperators(ExecutionGraph graph, Precision precision) {
    this.graph = graph;
    this.precision = precision;
  }

  /** The name of the operator. */
  static String name(Node.Compute node) {
    if (node.operator().equals(OperatorKind.EINSUM.text())) {
      return node.shape().batch() > 1 ? "aten::bmm" : "aten::mm";
    }
    return NAMES.getOrDefault(node.operator(), "stage::" + node.operator());
  }

  /** What stands around it on the host, which tells the profiler's readers the phase. */
  static String around(Phase phase) {
    return switch (phase) {
      case BACKWARD -> "autograd::engine::evaluate_function: StageBackward0";
      case RECOMPUTE -> "autograd::engine::evaluate_function: CheckpointFunctionBackward";
      case OPTIMIZER -> "Optimizer.step#Stage.step";
      default -> "";
    };
  }

  /** Sizes and types of its inputs. */
  Map<String, Object> arguments(Node.Compute node) {
    List<List<Long>> sizes = sizes(node);
    String type = type(node);
    Map<String, Object> arguments = new LinkedHashMap<>();
    arguments.put("Input Dims", sizes);
    arguments.put("Input type", Collections.nCopies(sizes.size(), type));
    arguments.put("node", node.name());
    return arguments;
  }

  private String type(Node.Compute node) {
    boolean single = node.phase() == Phase.OPTIMIZER;
    if (isScaled(node.operator())) {
      return torch(DataType.FP8);
    }
    return torch(single ? DataType.FP32 : isSum(node) ? summed(node) : precision.activations());
  }

  /** As PyTorch calls the type of an input. */
  private static String torch(DataType type) {
    return switch (type) {
      case FP8 -> "c10::Float8_e4m3fn";
      case BF16 -> "c10::BFloat16";
      case FP16 -> "c10::Half";
      case FP32 -> "float";
      case INT64 -> "long int";
      case BOOL -> "bool";
      case BYTE -> "unsigned char";
    };
  }

  private List<List<Long>> sizes(Node.Compute node) {
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
    OperatorKind kind = OperatorKind.ofText(node.operator()).orElse(OperatorKind.CONSTRAIN);
    return switch (kind) {
      case LAYER_NORM, RMS_NORM -> List.of(List.of(activations(bytes[0])));
      // the gradient, then what was normalised, which is as large
      case LAYER_NORM_GRAD, RMS_NORM_GRAD ->
          List.of(List.of(activations(bytes[0])), List.of(activations(bytes[0])));
      case LOOKUP -> {
        long rows = bytes[bytes.length - 1] / DataType.INT64.bytes();
        long width = activations(node.bytesWritten()) / Math.max(1, rows);
        long entries = bytes[0] / precision.weights().bytes() / Math.max(1, width);
        yield List.of(List.of(entries, width), List.of(rows));
      }
      case LOOKUP_GRAD -> {
        long rows = bytes[bytes.length - 1] / DataType.INT64.bytes();
        // besides, a table to which the gradient is added
        long gradient = bytes[bytes.length > 2 ? 1 : 0];
        yield List.of(List.of(rows, activations(gradient) / Math.max(1, rows)), List.of(rows));
      }
      default -> others(kind, bytes);
    };
  }

  private static boolean isScaled(String operator) {
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

  private static boolean isSum(Node.Compute node) {
    return node.operator().equals(OperatorKind.ADD.text())
        && node.otherFlops() > 0
        && node.bytesRead() == 2 * node.bytesWritten();
  }

  /** A sum has one operation for each element that it writes. */
  private DataType summed(Node.Compute node) {
    return node.bytesWritten() == node.otherFlops() * DataType.FP32.bytes()
        ? DataType.FP32
        : precision.activations();
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
  private List<List<Long>> others(OperatorKind kind, long[] bytes) {
    int[] widths = new int[bytes.length];
    Arrays.fill(widths, precision.activations().bytes());
    int[] special =
        switch (kind) {
          case CROSS_ENTROPY_GRAD -> new int[] {widths[0], 8, 4, 4};
          case QUANTIZE -> new int[] {widths[0], 4};
          case ATTENTION_MERGE -> new int[] {widths[0], widths[0], 4, 4};
          case TARGET_LOGIT -> new int[] {widths[0], 8, 4};
          case EXP_SUM -> new int[] {widths[0], 4};
          case NEGATIVE_LOG_LIKELIHOOD -> new int[] {4, 4};
          case DROPOUT_GRAD -> new int[] {widths[0], 1};
          default -> new int[0];
        };
    System.arraycopy(special, 0, widths, 0, Math.min(special.length, widths.length));
    List<List<Long>> sizes = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      sizes.add(List.of(bytes[i] / widths[i]));
    }
    return sizes;
  }
}
