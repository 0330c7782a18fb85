package org.stage.plugin.kineto;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.stage.api.profile.MeasuredOperator.Kind;

/** What kernels are, by their names; the first that fits counts. */
final class KernelNames {
  private static final Map<Pattern, Kind> KINDS = new LinkedHashMap<>();
  private static final Map<Pattern, Kind> COLLECTIVES = new LinkedHashMap<>();

  static {
    put(
        "multimem_.*(reduce|gather)|cross_device_reduce|(one|two)_?shot|lamport|quick_?reduce"
            + "|::ep::(internode|intranode|internode_ll)::|cached_notify|get_dispatch_layout"
            + "|deep_?ep|nvshmem|mscclpp"
            + "|^(?!triton_).*(all_?reduce|all_?gather|reduce_?scatter|all_?to_?all)",
        Kind.CUSTOM_COMMUNICATION);
    // what writes keys and values where attention reads them, and what turns them, has its name
    put("rotary|apply_?rope|reshape_and_cache|concat_and_cache|store_kv", Kind.ELEMENTWISE);
    // what joins the results of attention for two parts of the keys
    put("attention_merge|merge_?(attn_?)?states?", Kind.ELEMENTWISE);
    put("triton_\\w*_fused\\w*rsqrt", Kind.NORM);
    // all of FlashInfer has "flash" in its name
    put(
        "flash(?!infer)|fmha|attention|attn" + "|(batch|single)\\w*(prefill|decode)\\w*kernel",
        Kind.ATTENTION);
    put("conv|fprop|dgrad|wgrad|winograd", Kind.CONVOLUTION);
    put("gemm|nvjet|cijk_|xmma|cutlass|cublas|splitkreduce|^bmm_|gemv|wmma", Kind.GEMM);
    put("norm|bn_fw|bn_bw", Kind.NORM);
    put("embedding|indexselect", Kind.EMBEDDING);
    // not "lamb": every lambda of C++ has it in its name
    put("multi_tensor_apply|adamw?\\w*functor|fused_?adam|adagrad", Kind.OPTIMIZER);
    collective("all_?reduce", Kind.ALL_REDUCE);
    collective("all_?gather", Kind.ALL_GATHER);
    collective("reduce_?scatter", Kind.REDUCE_SCATTER);
    collective("all_?to_?all", Kind.ALL_TO_ALL);
    collective("broadcast", Kind.BROADCAST);
    collective("send_?recv", Kind.SEND_RECV);
    collective("barrier", Kind.BARRIER);
    collective("(^|[^a-z])send", Kind.SEND);
    collective("(^|[^a-z])recv", Kind.RECV);
    collective("(^|[^a-z])reduce|kernel_reduce", Kind.REDUCE);
  }

  private KernelNames() {}

  private static void put(String pattern, Kind kind) {
    KINDS.put(Pattern.compile(pattern), kind);
  }

  private static void collective(String pattern, Kind kind) {
    COLLECTIVES.put(Pattern.compile(pattern), kind);
  }

  /** {@link Kind#ELEMENTWISE} where nothing fits. */
  static Kind kind(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return isLibrary(name) ? collective(lower) : first(KINDS, lower, Kind.ELEMENTWISE);
  }

  /** Whether it is of a communication library. */
  static boolean isLibrary(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.contains("nccl") || lower.contains("rccl") || lower.startsWith("hccl");
  }

  /** The collective that a name speaks of: of a kernel, an operator or in metadata. */
  static Kind collective(String name) {
    return first(COLLECTIVES, name.toLowerCase(Locale.ROOT), Kind.OTHER_COMMUNICATION);
  }

  private static Kind first(Map<Pattern, Kind> kinds, String name, Kind otherwise) {
    for (Map.Entry<Pattern, Kind> each : kinds.entrySet()) {
      if (each.getKey().matcher(name).find()) {
        return each.getValue();
      }
    }
    return otherwise;
  }
}
