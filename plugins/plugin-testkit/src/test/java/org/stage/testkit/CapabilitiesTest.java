package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ModelFeature;
import org.stage.api.plugin.NodeKind;
import org.stage.api.plugin.Parallelism;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Workload;
import org.stage.testkit.text.ExecutionTextParser;

class CapabilitiesTest {
  private static final Workload WORKLOAD =
      ExecutionTextParser.parseWorkload(
          """
          workload job
          model tiny
          mesh tp=4 dp=1 pp=2
          precision weights=bf16 activations=bf16 gradients=fp32
          class stage=0 ranks=0-3
          0 compute again recompute einsum
          1 all-reduce heads forward 8xbf16 over tp:2
          2 all-reduce table backward 8xbf16 over pp{0,1}
          class stage=1 ranks=4-7
          """);

  private static ExecutionGraph graph() {
    return WORKLOAD.classes().get(0).graph();
  }

  @Test
  void everythingMissesNothing() {
    Capabilities everything = Capabilities.everything();

    assertThat(everything.missing(WORKLOAD)).isEmpty();
    assertThatCode(
            () -> {
              everything.require("x", WORKLOAD);
              everything.require("x", WORKLOAD.mesh(), graph());
            })
        .doesNotThrowAnyException();
  }

  @Test
  void whatIsMissingIsNamedButNotAnAxisOfOneDevice() {
    assertThat(Capabilities.nothing().missing(WORKLOAD))
        .containsExactly(
            "all-reduce",
            "compute",
            "pipeline parallelism",
            "recomputation",
            "replicated-heads",
            "tensor parallelism",
            "tied-embedding");
  }

  @Test
  void aMeshIsRefusedByTheParallelismThatIsNotDeclared() {
    Capabilities declared = Capabilities.nothing().with(Parallelism.TENSOR);

    assertThatThrownBy(() -> declared.require("csv", WORKLOAD))
        .isInstanceOf(WorkException.class)
        .hasMessageStartingWith("mesh tp=4")
        .hasMessageContaining("format csv cannot say pipeline parallelism. Take another mesh");
  }

  @Test
  void severalJobsAndSlowRanksAreRefusedWhereTheyAreNotDeclared() {
    Workload two =
        ExecutionTextParser.parseWorkload(
            """
            workload two
            model tiny
            mesh devices=3
            precision weights=bf16 activations=bf16 gradients=fp32
            job a ranks=0-1 tp=2
            job b ranks=2 tp=1
            class stage=0 ranks=0 job=a
            class stage=0 ranks=1 job=a slowdown=1.5
            class stage=0 ranks=2 job=b
            """);
    Capabilities declared =
        Capabilities.nothing().with(Parallelism.TENSOR).with(ModelFeature.SLOW_RANKS);

    assertThat(Capabilities.nothing().missing(two))
        .containsExactly("several-jobs", "slow-ranks", "tensor parallelism");
    assertThatThrownBy(() -> declared.require("csv", two))
        .isInstanceOf(WorkException.class)
        .hasMessage("two: format csv cannot say several-jobs. Take another format.");
    assertThatThrownBy(() -> Capabilities.nothing().require("csv", two))
        .hasMessageStartingWith("mesh tp=2: format csv cannot say tensor parallelism");
  }

  @Test
  void aGraphIsRefusedAtTheFirstNodeThatIsNotDeclared() {
    Capabilities declared =
        Capabilities.nothing()
            .with(NodeKind.COMPUTE, NodeKind.ALL_REDUCE)
            .with(ModelFeature.RECOMPUTATION, ModelFeature.TIED_EMBEDDING);

    assertThatThrownBy(() -> declared.require("csv", WORKLOAD.mesh(), graph()))
        .isInstanceOf(WorkException.class)
        .hasMessage("heads: format csv cannot say replicated-heads. Take another format.");
  }

  @Test
  void whatIsDeclaredAsLostIsNeitherSaidNorRefused() {
    Capabilities declared =
        Capabilities.everything()
            .losing(NodeKind.ALL_REDUCE)
            .losing(ModelFeature.TIED_EMBEDDING, ModelFeature.SLOW_RANKS);

    assertThat(declared.nodes()).doesNotContain(NodeKind.ALL_REDUCE);
    assertThat(declared.missing(WORKLOAD)).isEmpty();
    assertThat(declared.lost(WORKLOAD)).containsExactly("all-reduce", "tied-embedding");
    assertThat(Capabilities.everything().lost(WORKLOAD)).isEmpty();
    assertThatCode(
            () -> {
              declared.require("x", WORKLOAD);
              declared.require("x", WORKLOAD.mesh(), graph());
            })
        .doesNotThrowAnyException();
  }

  @Test
  void aParallelismTakenAwayIsMissing() {
    assertThat(Capabilities.everything().without(Parallelism.TENSOR).missing(WORKLOAD))
        .containsExactly("tensor parallelism");
  }

  @Test
  void eachKindOfNodeHasItsName() {
    assertThat(graph().nodes())
        .extracting(NodeKind::of)
        .containsExactly(NodeKind.COMPUTE, NodeKind.ALL_REDUCE, NodeKind.ALL_REDUCE);
    assertThat(NodeKind.REDUCE_SCATTER.text()).isEqualTo("reduce-scatter");
  }
}
