package org.stage.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Profile;
import org.stage.api.profile.ProfileStep;
import org.stage.api.profile.ProfiledDevice;
import org.stage.api.profile.Runs;
import org.stage.api.profile.TimeSpan;
import org.stage.api.profile.Transfer;

/** Which runs of ranks are one collective, for what is shown and for what is used. */
class PairingTest {
  @Test
  void runsWithoutNumbersPairByTheirOrderInStepsOfTheSameName() {
    // rank 1 has lost the first all-reduce of the first step
    Profile first =
        profile(0, 0, List.of("a", "b"), run(10, 0, 70), run(20, 0, 80), run(30, 1, 90));
    Profile second = profile(1, 0, List.of("a", "b"), run(20, 0, 5), run(30, 1, 7));
    assertThat(minima(first, second)).containsExactly(5L, 7L);
    // only the second step counts
    assertThat(measured(first, second)).containsExactly("7.0 of 1");
  }

  @Test
  void stepsOfOtherNamesAreOtherCollectives() {
    Profile first = profile(0, 0, List.of("a"), run(10, 0, 70));
    Profile second = profile(1, 0, List.of("b"), run(10, 0, 5));
    assertThat(minima(first, second)).isEmpty();
    assertThat(measured(first, second)).containsExactly("5.0 of 2, bound");
  }

  @Test
  void windowsOfOneRankAreNotTwoRanks() {
    Profile first = profile(0, 0, List.of(), run(10, -1, 70));
    Profile second = profile(0, 1_000, List.of(), run(1_010, -1, 50));
    assertThat(minima(first, second)).isEmpty();
    assertThat(measured(first, second)).containsExactly("50.0 of 2, bound");
  }

  @Test
  void allToAllsOfUnequalSharesAreOneCollective() {
    Profile first = profile(0, 0, List.of(), operator(Kind.ALL_TO_ALL, 100, run(10, -1, 70)));
    Profile second = profile(1, 0, List.of(), operator(Kind.ALL_TO_ALL, 300, run(10, -1, 50)));
    assertThat(minima(first, second)).containsExactly(50L);
    assertThat(measured(first, second)).containsExactly("50.0 of 1");
  }

  @Test
  void collectivesOfUnequalSizesAreNotOneThoughTheirPlacesAreEqual() {
    // rank 1 has lost the first: 100, 200, 300 bytes against 200, 300
    Profile first =
        profile(
            0,
            0,
            List.of(),
            operator(Kind.ALL_GATHER, 100, run(10, -1, 1_000)),
            operator(Kind.ALL_GATHER, 200, run(20, -1, 2_000)),
            operator(Kind.ALL_GATHER, 300, run(30, -1, 3_000)));
    Profile second =
        profile(
            1,
            0,
            List.of(),
            operator(Kind.ALL_GATHER, 200, run(20, -1, 20)),
            operator(Kind.ALL_GATHER, 300, run(30, -1, 30)));
    assertThat(measured(first, second))
        .containsExactly("1000.0 of 1, bound", "20.0 of 1", "30.0 of 1");
    ProfileSet set = ProfileSet.of(List.of(first, second));
    assertThat(Pairing.unmatched(set))
        .singleElement()
        .satisfies(each -> assertThat(each.described().transfer().bytes()).isEqualTo(100));
  }

  @Test
  void whereARankDoesNotTellItsSizesOrderDecides() {
    Profile first = profile(0, 0, List.of(), operator(Kind.ALL_GATHER, 100, run(10, -1, 70)));
    Profile second = profile(1, 0, List.of(), operator(Kind.ALL_GATHER, 0, run(10, -1, 50)));
    assertThat(measured(first, second)).containsExactly("50.0 of 1");
  }

  @Test
  void sendsPairWithNobody() {
    Profile first = profile(0, 0, List.of(), operator(Kind.SEND, 100, run(10, -1, 70)));
    Profile second = profile(1, 0, List.of(), operator(Kind.SEND, 100, run(10, -1, 50)));
    assertThat(minima(first, second)).isEmpty();
    assertThat(measured(first, second)).containsExactly("50.0 of 2, bound");
  }

  private static List<Long> minima(Profile... profiles) {
    return ProfileSet.of(List.of(profiles)).collectives().stream()
        .map(CollectiveInstance::minNs)
        .toList();
  }

  private static List<String> measured(Profile... profiles) {
    return Transfers.of(ProfileSet.of(List.of(profiles))).stream()
        .map(each -> each.ns() + " of " + each.count() + (each.bound() ? ", bound" : ""))
        .toList();
  }

  private static long[] run(long startNs, int step, long durationNs) {
    return new long[] {startNs, step, durationNs};
  }

  private static MeasuredOperator operator(Kind kind, long bytes, long[]... runs) {
    return Profiled.communication(
        kind,
        "nccl",
        "bf16",
        new Transfer(bytes, 2, "g", List.of()),
        Runs.of(
            Stream.of(runs).mapToLong(run -> run[0]).toArray(),
            Stream.of(runs).mapToLong(run -> run[2]).toArray(),
            Stream.of(runs).mapToInt(run -> (int) run[1]).toArray(),
            new long[runs.length]));
  }

  private static Profile profile(int rank, long startNs, List<String> steps, long[]... runs) {
    return profile(rank, startNs, steps, operator(Kind.ALL_REDUCE, 100, runs));
  }

  private static Profile profile(
      int rank, long startNs, List<String> steps, MeasuredOperator... operators) {
    return new Profile(
        "rank" + rank + ".json",
        ProfiledDevice.UNKNOWN,
        OptionalInt.of(rank),
        new TimeSpan(startNs, startNs + 500),
        steps.stream().map(name -> new ProfileStep(name, startNs, 500)).toList(),
        List.of(operators),
        Profiled.NOTHING_COVERED);
  }
}
