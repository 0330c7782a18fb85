package org.stage.backend.timeline;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.DataType;
import org.stage.api.workload.ExecutionGraph;
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
          Map.entry(OperatorKind.SCALED_EINSUM.text(), "aten::_scaled_mm"),
          Map.entry(OperatorKind.ATTENTION.text(), "aten::_scaled_dot_product_flash_attention"),
          Map.entry(
              OperatorKind.ATTENTION_GRAD.text(),
              "aten::_scaled_dot_product_flash_attention_backward"),
          Map.entry(OperatorKind.LAYER_NORM.text(), "aten::native_layer_norm"),
          Map.entry(OperatorKind.LAYER_NORM_GRAD.text(), "aten::native_layer_norm_backward"),
          Map.entry(OperatorKind.RMS_NORM.text(), "aten::_fused_rms_norm"),
          Map.entry(OperatorKind.RMS_NORM_GRAD.text(), "aten::_fused_rms_norm_backward"),
          Map.entry(OperatorKind.LOOKUP.text(), "aten::embedding"),
          Map.entry(OperatorKind.LOOKUP_GRAD.text(), "aten::embedding_dense_backward"),
          Map.entry(OperatorKind.ADD.text(), "aten::add"),
          Map.entry(OperatorKind.GELU.text(), "aten::gelu"),
          Map.entry(OperatorKind.GELU_GRAD.text(), "aten::gelu_backward"),
          Map.entry(OperatorKind.SOFTMAX.text(), "aten::_softmax"),
          Map.entry(OperatorKind.SOFTMAX_GRAD.text(), "aten::_softmax_backward_data"),
          Map.entry(OperatorKind.NEGATIVE_LOG_LIKELIHOOD.text(), "aten::nll_loss_forward"),
          Map.entry("adam", "aten::_fused_adamw_"),
          Map.entry("sgd", "aten::_fused_sgd_"));

  private final KinetoSizes sizes;
  private final Precision precision;

  KinetoOperators(ExecutionGraph graph, Precision precision) {
    this.sizes = new KinetoSizes(graph, precision);
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
    List<List<Long>> dims = sizes.of(node);
    String type = type(node);
    Map<String, Object> arguments = new LinkedHashMap<>();
    arguments.put("Input Dims", dims);
    arguments.put("Input type", Collections.nCopies(dims.size(), type));
    arguments.put("node", node.name());
    return arguments;
  }

  private String type(Node.Compute node) {
    boolean single = node.phase() == Phase.OPTIMIZER;
    if (KinetoSizes.isScaled(node.operator())) {
      return torch(DataType.FP8);
    }
    return torch(
        single ? DataType.FP32 : KinetoSizes.isSum(node) ? summed(node) : precision.activations());
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

  /** A sum has one operation for each element that it writes. */
  private DataType summed(Node.Compute node) {
    return node.bytesWritten() == node.otherFlops() * DataType.FP32.bytes()
        ? DataType.FP32
        : precision.activations();
  }
}
