package org.stage.plugin.kineto;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.profile.MeasuredOperator.Kind;

/** What kernels and operators of frameworks and serving engines are, by their names. */
class KindsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "void flashinfer::norm::FusedAddRMSNormKernel<8u, __nv_bfloat16>(int) | NORM",
        "void flashinfer::activation::act_and_mul_kernel<__nv_bfloat16, &silu>(int) | ELEMENTWISE",
        "void flashinfer::BatchQKApplyRotaryPosIdsCosSinCacheKernel<true>(int) | ELEMENTWISE",
        "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<8>(int)"
            + " | CUSTOM_COMMUNICATION",
        "void flashinfer::BatchPrefillWithPagedKVCacheKernel<x>(int) | ATTENTION",
        "void flashinfer::BatchDecodeWithPagedKVCacheKernel<x>(int) | ATTENTION",
        "void flashinfer::sampling::TopKTopPSamplingFromProbKernel<x>(int) | ELEMENTWISE",
        "void flashinfer::MergeStateKernel<8u, __nv_bfloat16>(int) | ELEMENTWISE",
        "void vllm::merge_attn_states_kernel<__nv_bfloat16, 128u>(x) | ELEMENTWISE",
        "attention_merge_kernel | ELEMENTWISE",
        "void deep_ep::internode::dispatch<false, 4>(int4*) | CUSTOM_COMMUNICATION",
        "void dpsk::ep::intranode::combine<8>(int4*) | CUSTOM_COMMUNICATION",
        "void dpsk::ep::internode::cached_notify<false>(int) | CUSTOM_COMMUNICATION",
        "void dpsk::ep::intranode::get_dispatch_layout<256>(long*) | CUSTOM_COMMUNICATION",
        "void mscclpp::allreduce8<__half>(x) | CUSTOM_COMMUNICATION",
        "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(x) | CUSTOM_COMMUNICATION",
        "void tensorrt_llm::kernels::oneShotAllReduceKernel<x>(x) | CUSTOM_COMMUNICATION",
        "void sglang::two_shot_all_reduce<x>(x) | CUSTOM_COMMUNICATION",
        "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(x)"
            + " | CUSTOM_COMMUNICATION",
        "quickreduce::allreduce_prototype_twoshot<x> | CUSTOM_COMMUNICATION",
        "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(x) | ELEMENTWISE",
        "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16>(x) | ELEMENTWISE",
        "triton_red_fused__to_copy_mean_mul_pow_rsqrt_0 | NORM",
        "triton_poi_fused_all_reduce_add_3 | ELEMENTWISE",
        "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<bool, and_kernel>>(x)"
            + " | ELEMENTWISE",
        "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x) | ALL_REDUCE",
        "void pytorch_flash::flash_fwd_kernel<x>(x) | ATTENTION",
      })
  void aKernelIsWhatItsNameSays(String name, Kind kind) {
    assertThat(KernelNames.kind(name)).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "sgl_kernel::fused_add_rmsnorm, NORM",
    "aiter::rmsnorm, NORM",
    "aiter::add_rmsnorm, NORM",
    "_C::fused_add_rms_norm, NORM",
    "vllm::all_reduce, CUSTOM_COMMUNICATION",
    "symm_mem::multimem_all_reduce_, CUSTOM_COMMUNICATION",
    "aten::_addmm_activation, GEMM",
    "aiter::mha_batch_prefill, ATTENTION",
  })
  void anOperatorIsWhatItsNameSays(String name, Kind kind) {
    assertThat(OperatorNames.kind(name)).contains(kind);
  }

  @Test
  void whatOnlyCallsProductsIsNoneByItself() {
    assertThat(OperatorNames.kind("aten::linear")).isEmpty();
    assertThat(OperatorNames.isWrapper("aten::linear")).isTrue();
    assertThat(OperatorNames.kind("aten::layer_norm")).isEmpty();
  }
}
