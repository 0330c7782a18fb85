package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.state.StateTexts.DP4;
import static org.stage.state.StateTexts.MIXED;
import static org.stage.state.StateTexts.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.stage.api.workload.Node.Collective;
import org.stage.state.FlatBuffer.Bucket;
import org.stage.state.FlatBuffer.Slice;
import org.stage.state.StateAction.Kind;

class FlatBufferTest {
  /** Parameters of 10 and 3 elements. */
  private static final List<Slice> SLICES = List.of(new Slice("w", 10), new Slice("v", 3));

  private static FlatBuffer buffer(long elements) {
    return new FlatBuffer("parameters", SLICES, elements, MIXED, DP4, DP4);
  }

  private static StateAction gather(FlatBuffer buffer, Moment moment) {
    return buffer.gather(moment, buffer.slices());
  }

  @Test
  void aShardIsPaddedToTheSizeOfTheOthers() {
    assertThat(FlatBuffer.shard(0, 4)).isZero();
    assertThat(FlatBuffer.shard(8, 4)).isEqualTo(2);
    assertThat(FlatBuffer.shard(9, 4)).isEqualTo(3);
  }

  @Test
  void theWholeIsPaddedToAMultipleOfItsShards() {
    assertThat(buffer(13).shard()).isEqualTo(4);
    assertThat(buffer(13).padded()).isEqualTo(16);
    assertThat(buffer(12).padded()).isEqualTo(12);
  }

  @Test
  void elementsBeyond63BitsAreRefusedAndNotNegative() {
    assertThatThrownBy(() -> FlatBuffer.shard(Long.MAX_VALUE, 4))
        .isInstanceOf(ArithmeticException.class);
    // A shard of 2^60 elements, of 4 bytes each, read twice.
    assertThatThrownBy(() -> buffer(1L << 62).accumulate(Collective.Kind.REDUCE_SCATTER))
        .isInstanceOf(ArithmeticException.class);
    List<Slice> two = List.of(new Slice("w", Long.MAX_VALUE), new Slice("v", 1));
    assertThatThrownBy(() -> FlatBuffer.buckets(two, 20, 10, 1))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void aParameterThatLiesElsewhereHasNoElements() {
    assertThat(FlatBuffer.slices(List.of("w", "x"), Map.of("w", 10L)))
        .containsExactly(new Slice("w", 10), new Slice("x", 0));
  }

  @Test
  void bucketsThatAreNotAskedForAreOne() {
    assertThat(FlatBuffer.buckets(SLICES, 13, 0, 1))
        .containsExactly(new Bucket(13, List.of("w", "v")));
  }

  /** Of elements 0 to 5, 6 to 11 and 12. */
  @Test
  void aParameterMayReachIntoTwoBucketsAndTheLastIsTheRest() {
    assertThat(FlatBuffer.buckets(SLICES, 13, 6, 1))
        .containsExactly(
            new Bucket(6, List.of("w")),
            new Bucket(6, List.of("w", "v")),
            new Bucket(1, List.of("v")));
  }

  @Test
  void aParameterThatEndsWithABucketIsNotInTheNext() {
    assertThat(FlatBuffer.buckets(SLICES, 13, 10, 1))
        .containsExactly(new Bucket(10, List.of("w")), new Bucket(3, List.of("v")));
  }

  /** A bucket goes in shards too: of 7 elements, 4 do for 4 ranks. */
  @Test
  void bucketsAreMultiplesOfTheirSharers() {
    assertThat(FlatBuffer.buckets(SLICES, 16, 7, 4))
        .containsExactly(
            new Bucket(4, List.of("w")),
            new Bucket(4, List.of("w")),
            new Bucket(4, List.of("w", "v")),
            new Bucket(4, List.of("v")));
  }

  @Test
  void bucketsSmallerThanAnElementOfEachSharerAreOne() {
    assertThat(FlatBuffer.buckets(SLICES, 16, 3, 4))
        .containsExactly(new Bucket(16, List.of("w", "v")));
  }

  @Test
  void theOnlyBucketHasAllParametersEvenThoseWithoutElements() {
    List<Slice> slices = List.of(new Slice("w", 4), new Slice("x", 0));
    assertThat(FlatBuffer.buckets(slices, 4, 4, 1))
        .containsExactly(new Bucket(4, List.of("w", "x")));
  }

  @Test
  void theLastBucketsEndIsCountedWithoutOverflow() {
    long most = Long.MAX_VALUE;
    assertThat(FlatBuffer.buckets(List.of(), most, most - 1, 1))
        .containsExactly(new Bucket(most - 1, List.of()), new Bucket(1, List.of()));
  }

  @Test
  void gatheringTakesAShardOfTheWeights() {
    assertThat(text(gather(buffer(13), Moment.BEFORE_FORWARD)))
        .isEqualTo(
            "GATHER parameters.all-gather at BEFORE_FORWARD: "
                + "all-gather of 4 bf16 over dp(1)4 in parameters of w v");
  }

  @Test
  void whatIsGatheredForBackwardHasANameOfItsOwn() {
    assertThat(gather(buffer(13), Moment.BEFORE_BACKWARD).name())
        .isEqualTo("parameters.all-gather.backward");
    assertThat(buffer(13).name(Moment.BEFORE_BACKWARD)).isEqualTo("parameters.backward");
    assertThat(buffer(13).name(Moment.BEFORE_FORWARD)).isEqualTo("parameters");
  }

  @Test
  void scatteringTakesTheGradientsOfABucket() {
    Bucket bucket = new Bucket(8, List.of("w"));
    assertThat(
            text(
                buffer(13)
                    .scatter(
                        Kind.SCATTER,
                        Collective.Kind.REDUCE_SCATTER,
                        Moment.AFTER_LAST_BACKWARD,
                        bucket)))
        .isEqualTo(
            "SCATTER grad.reduce-scatter.dp at AFTER_LAST_BACKWARD: "
                + "reduce-scatter of 8 fp32 over dp(1)4 in parameters of w");
  }

  @Test
  void accumulatingReadsTwoShardsAndWritesOne() {
    assertThat(text(buffer(13).accumulate(Collective.Kind.REDUCE_SCATTER)))
        .isEqualTo(
            "ACCUMULATE grad.reduce-scatter.dp.accumulate at AFTER_LATER_BACKWARD: "
                + "add 4 operations, 32 read, 16 written in parameters");
  }

  @Test
  void aShardIsReducedWhereItLies() {
    assertThat(
            text(buffer(13).reduceShard(Moment.AFTER_LAST_BACKWARD, 2, StateTexts.TP2, ".again")))
        .isEqualTo(
            "REDUCE_SHARD grad.all-reduce.tp.again at AFTER_LAST_BACKWARD: "
                + "all-reduce of 2 fp32 over tp(1)2 in parameters");
  }

  @Test
  void slicesCannotBeChangedLater() {
    List<Slice> slices = new ArrayList<>(SLICES);
    FlatBuffer buffer = new FlatBuffer("parameters", slices, 13, MIXED, DP4, DP4);
    slices.clear();
    assertThat(buffer.parameters()).containsExactly("w", "v");
  }
}
