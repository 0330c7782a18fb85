package org.stage.api.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RankSetTest {
  @Test
  void consecutiveRanksAreOneRange() {
    RankSet set = RankSet.of(IntStream.of(0, 1, 1, 2, 3, 16, 18, 19));
    assertThat(set).hasToString("0-3,16,18-19");
    assertThat(set.size()).isEqualTo(7);
    assertThat(set.first()).isZero();
    assertThat(set.stream()).containsExactly(0, 1, 2, 3, 16, 18, 19);
  }

  @Test
  void membershipIsThatOfTheRangesEndsIncluded() {
    RankSet set = RankSet.parse("2-4,8");
    assertThat(IntStream.range(0, 10).filter(set::contains)).containsExactly(2, 3, 4, 8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0-7,64; 0-7,64",
        "5; 5",
        "5-5; 5",
        "64,0-7; 0-7,64",
        "0-3,4-7; 0-7",
        "0-5,2-3; 0-5",
        "1,0,1; 0-1",
        "007; 7",
      })
  void textIsReadIntoOneForm(String text, String printed) {
    assertThat(RankSet.parse(text)).hasToString(printed);
  }

  @Test
  void aThousandMillionRanksCostOneRange() {
    assertThat(RankSet.parse("0-999999999").size()).isEqualTo(1_000_000_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "1,", ",1", "1--2", "-1", "1-2-3", "1 ,2", "1234567890"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> RankSet.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a list of ranks such as 0-7,64");
  }

  @Test
  void aRangeThatEndsBeforeItBeginsIsNamed() {
    assertThatThrownBy(() -> RankSet.parse("0,7-3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'7-3' ends before it begins");
  }

  @Test
  void rangesThatTouchOrDescendAreRefused() {
    RankSet.Range low = new RankSet.Range(0, 3);
    RankSet.Range next = new RankSet.Range(4, 5);
    assertThatThrownBy(() -> new RankSet(List.of(low, next)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("4-5 does not follow 0-3 with a gap");
    assertThatThrownBy(() -> new RankSet(List.of(new RankSet.Range(9, 9), low)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("0-3 does not follow 9 with a gap");
    assertThatThrownBy(() -> RankSet.of(IntStream.of(9, 3)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RankSet.Range(-1, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RankSet.Range(4, 3)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theEmptySetHasNoFirstRank() {
    RankSet empty = RankSet.of(IntStream.empty());
    assertThat(empty.size()).isZero();
    assertThatThrownBy(empty::first).isInstanceOf(NoSuchElementException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void whatIsPrintedIsReadBack(long seed) {
    Random random = new Random(seed);
    TreeSet<Integer> ranks = new TreeSet<>();
    IntStream.range(0, random.nextInt(1, 40)).forEach(i -> ranks.add(random.nextInt(60)));
    RankSet set = RankSet.of(ranks.stream().mapToInt(Integer::intValue));
    assertThat(set.stream().boxed()).containsExactlyElementsOf(ranks);
    assertThat(RankSet.parse(set.toString())).isEqualTo(set);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void ranksAreFoundWhereAPlainListHasThem(long seed) {
    Random random = new Random(seed);
    int bound = random.nextInt(1, 200);
    List<Integer> plain =
        random.ints(random.nextInt(0, 80), 0, bound).boxed().distinct().sorted().toList();
    RankSet set = RankSet.of(plain.stream().mapToInt(Integer::intValue));

    assertThat(set.size()).isEqualTo(plain.size());
    for (int rank = -1; rank <= bound; rank++) {
      assertThat(set.contains(rank)).as("%s holds %d", set, rank).isEqualTo(plain.contains(rank));
    }
    for (int index = 0; index < plain.size(); index++) {
      assertThat(set.get(index)).as("%s at %d", set, index).isEqualTo(plain.get(index));
      assertThat(set.indexOf(plain.get(index)))
          .as("%d in %s", plain.get(index), set)
          .isEqualTo(index);
    }
  }

  @Test
  void setsOfTheSameRanksAreEqual() {
    RankSet set = RankSet.parse("0-3,7");
    assertThat(set).isEqualTo(RankSet.of(IntStream.of(0, 1, 2, 3, 7)));
    assertThat(set).hasSameHashCodeAs(RankSet.of(IntStream.of(0, 1, 2, 3, 7)));
    assertThat(set).isNotEqualTo(RankSet.parse("0-3"));
  }

  @Test
  void moreRanksThanAnIntegerCountsAreRefused() {
    RankSet.Range all = new RankSet.Range(0, Integer.MAX_VALUE);
    assertThatThrownBy(() -> new RankSet(List.of(all))).isInstanceOf(ArithmeticException.class);
    RankSet most = new RankSet(List.of(new RankSet.Range(1, Integer.MAX_VALUE)));
    assertThat(most.size()).isEqualTo(Integer.MAX_VALUE);
    assertThat(most.get(Integer.MAX_VALUE - 1)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void ranksAreCountedUpwards() {
    RankSet ranks = RankSet.parse("2-3,6,9-11");

    for (int index = 0; index < ranks.size(); index++) {
      assertThat(ranks.indexOf(ranks.get(index))).isEqualTo(index);
    }
    assertThat(ranks.get(2)).isEqualTo(6);
    assertThat(ranks.get(5)).isEqualTo(11);
    assertThatThrownBy(() -> ranks.indexOf(5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rank 5 is none of 2-3,6,9-11");
    assertThatThrownBy(() -> ranks.get(6)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
