package org.stage.backend.scalesim;

import org.stage.backend.scalesim.format.Gemm;

/**
 * Equal products of equal kernels.
 *
 * @param layer the module
 * @param phase the part of the step
 * @param operator the kernel
 * @param product which of its products
 * @param unit what its equal products are for
 * @param perKernel how many of them a kernel has
 * @param gemm the shape of each
 */
record Work(
    String layer,
    String phase,
    String operator,
    String product,
    String unit,
    long perKernel,
    Gemm gemm) {
  /** The name of its row. */
  String rowName() {
    return product.isEmpty() ? layer : layer + "." + product;
  }
}
