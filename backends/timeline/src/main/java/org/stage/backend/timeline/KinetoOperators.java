package org.stage.backend.timeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.OperatorKind;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Node;
import org.stage.api.workload.Position;
import org.stage.api.workload.Precision;
import org.stage.api.workload.TensorType;

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

  private final Precision precision;

  KinetoOperators(Precision precision) {
    this.precision = precision;
  }

  /** The name of the operator. */
  static String name(Node.Compute node) {
    if (node.operator().equals(OperatorKind.EINSUM.text())) {
      boolean batched = node.shape().batch() > 1;
      return KinetoSizes.accumulates(node)
          ? batched ? "aten::baddbmm" : "aten::addmm"
          : batched ? "aten::bmm" : "aten::mm";
    }
    return NAMES.getOrDefault(node.operator(), "stage::" + node.operator());
  }

  /** What stands around it on the host, which tells the profiler's readers the phase. */
  static String around(Node node) {
    return switch (node.phase()) {
      case BACKWARD -> "autograd::engine::evaluate_function: StageBackward0";
      case RECOMPUTE -> "autograd::engine::evaluate_function: CheckpointFunctionBackward";
      // the norm by which gradients are clipped is no part of the optimizer
      case OPTIMIZER ->
          node.position().role() == Position.Role.GRADIENT_NORM ? "" : "Optimizer.step#Stage.step";
      default -> "";
    };
  }

  /** Sizes and types of its inputs. */
  Map<String, Object> arguments(Node.Compute node) {
    List<TensorType> inputs = KinetoSizes.of(node, precision);
    Map<String, Object> arguments = new LinkedHashMap<>();
    arguments.put("Input Dims", inputs.stream().map(TensorType::dims).toList());
    arguments.put("Input type", inputs.stream().map(each -> torch(each.type())).toList());
    arguments.put("node", node.name());
    return arguments;
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
}
