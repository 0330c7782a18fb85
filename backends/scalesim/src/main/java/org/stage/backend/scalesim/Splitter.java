package org.stage.backend.scalesim;

import java.util.List;
import org.stage.backend.scalesim.format.Gemm;

/**
 * Deals the products of a kernel to arrays. Where there are as many equal products as arrays, each
 * array takes whole ones; else each product is cut along one side, and remainders stay exact.
 *
 * @param arrays how many work at a time
 * @param alongN whether columns of the result are cut, else rows
 */
record Splitter(long arrays, boolean alongN) {
  /**
   * What arrays get.
   *
   * @param gemm the shape
   * @param count how many of it a kernel has, on all arrays together
   * @param inSequence how many of them the busiest array computes one after the other; 0 if they
   *     are done beside larger ones
   */
  record Share(Gemm gemm, long count, long inSequence) {}

  List<Share> split(Gemm whole, long perKernel) {
    if (perKernel >= arrays) {
      return List.of(new Share(whole, perKernel, (perKernel - 1) / arrays + 1));
    }
    long side = alongN ? whole.n() : whole.m();
    long part = side / arrays;
    long larger = side % arrays;
    if (larger == 0) {
      return List.of(new Share(cut(whole, part), Math.multiplyExact(perKernel, arrays), perKernel));
    }
    Share most = new Share(cut(whole, part + 1), Math.multiplyExact(perKernel, larger), perKernel);
    return part == 0
        ? List.of(most)
        : List.of(
            most, new Share(cut(whole, part), Math.multiplyExact(perKernel, arrays - larger), 0));
  }

  private Gemm cut(Gemm whole, long side) {
    return alongN ? new Gemm(whole.m(), side, whole.k()) : new Gemm(side, whole.n(), whole.k());
  }
}
