package org.stage.plugin.kineto;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.stage.api.profile.MeasuredOperator.Kind;

/** What operators on the host are, by their names. */
final class OperatorNames {
  static final String STEP = "ProfilerStep#";

  /** Those that call others of these in most versions and on most devices. */
  private static final Set<String> WRAPPERS =
      Set.of("aten::linear", "aten::matmul", "aten::einsum");

  private static final Set<String> GEMMS =
      Set.of(
          "aten::mm",
          "aten::addmm",
          "aten::_addmm_activation",
          "aten::bmm",
          "aten::baddbmm",
          "aten::_scaled_mm",
          "aten::_grouped_mm",
          "aten::_scaled_grouped_mm");
  private static final Pattern ATTENTION =
      Pattern.compile(
          "aten::_(scaled_dot_product_(flash|efficient|cudnn|fused)|flash|efficient)_?attention\\w*"
              + "|aten::_scaled_dot_product_\\w+_attention\\w*"
              + "|flash_attn(_\\d)?::.*|FlashAttn\\w*|vllm::unified_attention\\w*"
              + "|(aiter|flashinfer|sglang)::.*(attention|fmha|mha|flash).*");
  private static final Pattern NORM =
      Pattern.compile(
          "(aten::(native_layer_norm|native_group_norm|rms_norm|_fused_rms_norm|native_batch_norm"
              + "|cudnn_batch_norm|miopen_batch_norm)"
              + "|(?!aten::)\\w+::\\w*(rms|layer)_?norm\\w*)(_backward)?");
  private static final Pattern CUSTOM_COMMUNICATION =
      Pattern.compile(
          "(vllm|sgl_kernel|_C_custom_ar|symm_mem|trtllm|mscclpp|deep_ep)::"
              + "\\w*(all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|dispatch|combine)\\w*");
  private static final Pattern EMBEDDING =
      Pattern.compile(
          "aten::(embedding|_?embedding_bag|embedding_dense_backward|index_select)(_backward)?");
  private static final Pattern CONVOLUTION =
      Pattern.compile(
          "aten::(_?convolution|cudnn_convolution|miopen_convolution|convolution_backward)\\w*");
  private static final Pattern OPTIMIZER =
      Pattern.compile("aten::_fused_(adamw?|sgd|adagrad)_?|.*multi_tensor_apply.*");
  private static final Pattern BACKWARD = Pattern.compile("\\w*Backward\\d*");
  private static final String EVALUATE = "autograd::engine::evaluate_function";

  /** The backward pass of an autograd function that is written in C++. */
  private static final String CUSTOM_FUNCTION = "torch::autograd::CppNode";

  private OperatorNames() {}

  /** Empty where the name tells nothing. */
  static Optional<Kind> kind(String name) {
    if (GEMMS.contains(name)) {
      return Optional.of(Kind.GEMM);
    }
    if (ATTENTION.matcher(name).matches()) {
      return Optional.of(Kind.ATTENTION);
    }
    if (NORM.matcher(name).matches()) {
      return Optional.of(Kind.NORM);
    }
    if (EMBEDDING.matcher(name).matches()) {
      return Optional.of(Kind.EMBEDDING);
    }
    if (CONVOLUTION.matcher(name).matches()) {
      return Optional.of(Kind.CONVOLUTION);
    }
    if (CUSTOM_COMMUNICATION.matcher(name).matches()) {
      return Optional.of(Kind.CUSTOM_COMMUNICATION);
    }
    return OPTIMIZER.matcher(name).matches() ? Optional.of(Kind.OPTIMIZER) : Optional.empty();
  }

  /** Whether it is a product if it launches a kernel itself, and else only calls one. */
  static boolean isWrapper(String name) {
    return WRAPPERS.contains(name);
  }

  /** Whether what is called inside of it belongs to the backward pass. */
  static boolean isBackward(String name) {
    return name.startsWith(EVALUATE)
        || name.startsWith(CUSTOM_FUNCTION)
        || BACKWARD.matcher(name).matches();
  }

  /** Whether what is called inside of it runs the forward pass again. */
  static boolean isRecompute(String name) {
    return isBackward(name) && name.contains("CheckpointFunctionBackward");
  }

  /** Whether it is a step of the optimizer. */
  static boolean isOptimizer(String name) {
    return name.startsWith("Optimizer.step#");
  }
}
