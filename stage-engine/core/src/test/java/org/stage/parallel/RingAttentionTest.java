package org.stage.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.job.ContextParallelism;

/** Attention on rings of two and of three devices. */
class RingAttentionTest {
  private static List<String> core(String cp, boolean backward) {
    PlacedUnit unit = Placed.unit("attention", "flash_attention", cp, ContextParallelism.RING);
    PlacedModule program = backward ? unit.backward() : unit.forward();
    return Placed.steps(program).stream()
        .filter(step -> step.matches("core.*|(q|k).2.grad.sum.*|v.grad.sum.*"))
        .toList();
  }

  @Test
  void keysGoOnWhileTheirKernelRuns() {
    assertThat(core("cp 3", false))
        .containsExactly(
            "core.keys1: k.2 v -> k.2.ring1 v.ring1",
            "core.step0: q.2 k.2 v -> o.step0 lse.step0",
            "core.keys2: k.2.ring1 v.ring1 -> k.2.ring2 v.ring2",
            "core.step1: q.2 k.2.ring1 v.ring1 -> o.step1 lse.step1",
            "core.merge1: o.step0 lse.step0 o.step1 lse.step1 -> o.upto1 lse.upto1",
            "core.step2: q.2 k.2.ring2 v.ring2 -> o.step2 lse.step2",
            "core.merge2: o.upto1 lse.upto1 o.step2 lse.step2 -> o lse");
  }

  @Test
  void gradientsOfKeysFollowThemHome() {
    assertThat(core("cp 3", true))
        .containsExactly(
            "core.grad.keys1: k.2 v -> k.2.ring1.backward v.ring1.backward",
            "core.grad.step0: o.grad q.2 k.2 v o lse"
                + " -> q.2.grad.step0 k.2.grad.step0 v.grad.step0",
            "core.grad.keys2: k.2.ring1.backward v.ring1.backward"
                + " -> k.2.ring2.backward v.ring2.backward",
            "core.grad.step1: o.grad q.2 k.2.ring1.backward v.ring1.backward o lse"
                + " -> q.2.grad.step1 k.2.grad.step1 v.grad.step1",
            "q.2.grad.sum1: q.2.grad.step0 q.2.grad.step1 -> q.2.grad.upto1",
            "core.grad.gradients1: k.2.grad.step1 v.grad.step1 -> k.2.grad.round1 v.grad.round1",
            "core.grad.step2: o.grad q.2 k.2.ring2.backward v.ring2.backward o lse"
                + " -> q.2.grad.step2 k.2.grad.step2 v.grad.step2",
            "q.2.grad.sum2: q.2.grad.upto1 q.2.grad.step2 -> q.2.grad",
            "k.2.grad.sum2: k.2.grad.round1 k.2.grad.step2 -> k.2.grad.upto2",
            "v.grad.sum2: v.grad.round1 v.grad.step2 -> v.grad.upto2",
            "core.grad.gradients2: k.2.grad.upto2 v.grad.upto2 -> k.2.grad.round2 v.grad.round2",
            "k.2.grad.sum3: k.2.grad.round2 k.2.grad.step0 -> k.2.grad",
            "v.grad.sum3: v.grad.round2 v.grad.step0 -> v.grad");
  }

  @Test
  void twoDevicesMergeOnce() {
    assertThat(core("cp 2", false))
        .containsExactly(
            "core.keys1: k.2 v -> k.2.ring1 v.ring1",
            "core.step0: q.2 k.2 v -> o.step0 lse.step0",
            "core.step1: q.2 k.2.ring1 v.ring1 -> o.step1 lse.step1",
            "core.merge1: o.step0 lse.step0 o.step1 lse.step1 -> o lse");
    assertThat(core("cp 2", true))
        .hasSize(7)
        .last()
        .isEqualTo("v.grad.sum2: v.grad.round1 v.grad.step0 -> v.grad");
  }

  @Test
  void eachStepSaysWhatItIsAPartOfAndItsPartOfTheWork() {
    PlacedUnit unit = Placed.unit("attention", "flash_attention", "cp 3", ContextParallelism.RING);
    assertThat(unit.forward().steps())
        .filteredOn(step -> step.origin().equals("core"))
        .hasSize(7)
        .filteredOn(Step.Shift.class::isInstance)
        .extracting(step -> ((Step.Shift) step).axis())
        .containsExactly("cp", "cp");
    assertThat(unit.forward().steps())
        .filteredOn(
            step ->
                step instanceof Step.Kernel kernel && kernel.operator().name().equals("core.step1"))
        .extracting(step -> ((Step.Kernel) step).cost().flops().toString())
        .containsExactly("4*batch*head_dim*heads*seq^2/cp^2");
    assertThat(unit.forward().outputs()).containsOnlyKeys("y");
    assertThat(unit.forward().kept().get("o").elements())
        .hasToString("batch*head_dim*heads*seq/cp");
  }
}
