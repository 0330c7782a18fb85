package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/**
 * What every exporter promises where the files of some ranks only are wanted ({@link
 * org.stage.api.plugin.ExportContext#ranks()}; it is given the whole workload all the same).
 *
 * <p>Take a file that {@link #dependsOnRanks} does not name: one of a rank, of a class of ranks, or
 * one that all ranks share.
 *
 * <ul>
 *   <li>Whichever ranks are wanted, its bytes are those that it has where all are.
 *   <li>It is written if and only if it is written for one of the wanted ranks alone: the files of
 *       a set are those of its ranks together, and all ranks together have all files.
 * </ul>
 *
 * <p>There are files for every rank, and those of ranks of different classes are different, be it
 * by name or content. A format of {@link #ofTheWholeJob the whole job} promises another thing: the
 * same files, byte for byte, whichever ranks are wanted.
 */
abstract class RankSetContract extends ExportTrials {
  /**
   * Whether the files are the same whichever ranks are wanted, as of a format that says a job in
   * one file, or whose options choose what is written; by default false.
   */
  protected boolean ofTheWholeJob() {
    return false;
  }

  @TestFactory
  Stream<DynamicTest> writesForSomeRanksWhatItWritesForAll() {
    return Corpus.names().stream()
        .filter(name -> exporter().capabilities().missing(prepared(Corpus.get(name))).isEmpty())
        .map(name -> DynamicTest.dynamicTest(name, () -> writesForSomeRanks(name)));
  }

  private void writesForSomeRanks(String name) throws IOException {
    Workload workload = prepared(Corpus.get(name));
    Map<String, String> all = files(trial(), workload, name + "/all");
    List<Map<String, String>> alone = new ArrayList<>();
    for (int rank = 0; rank < workload.mesh().devices(); rank++) {
      alone.add(files(trial().ranks("" + rank), workload, name + "/rank" + rank));
    }
    assertThat(alone).as("files of each rank alone").doesNotContain(Map.of());
    if (ofTheWholeJob()) {
      assertThat(alone).as("files of each rank alone").allSatisfy(one -> same(one, all));
    } else {
      toldApart(workload, alone);
      same(union(alone), withoutThoseOfTheSet(all));
    }
    for (Set<Integer> ranks : sets(workload)) {
      String wanted = String.join(",", ranks.stream().map(String::valueOf).toList());
      Map<String, String> some = files(trial().ranks(wanted), workload, name + "/ranks" + wanted);
      assertThat(some).as("files of ranks %s", wanted).isNotEmpty();
      if (ofTheWholeJob()) {
        same(some, all);
      } else {
        same(withoutThoseOfTheSet(some), union(ranks.stream().map(alone::get).toList()));
      }
    }
  }

  /** Ranks with a gap, the ends, the upper half, and one of each class, the last and the first. */
  private static Set<Set<Integer>> sets(Workload workload) {
    int devices = workload.mesh().devices();
    Set<Set<Integer>> sets = new LinkedHashSet<>();
    if (devices > 3) {
      sets.add(new TreeSet<>(Set.of(1, 3)));
      sets.add(new TreeSet<>(Set.of(0, devices - 1)));
    }
    sets.add(new TreeSet<>(IntStream.range(devices / 2, devices).boxed().toList()));
    sets.add(new TreeSet<>(workload.classes().stream().map(RankSetContract::last).toList()));
    sets.add(new TreeSet<>(workload.classes().stream().map(each -> each.ranks().first()).toList()));
    return sets;
  }

  private static int last(RankClass each) {
    return each.ranks().stream().max().orElseThrow();
  }

  private static void toldApart(Workload workload, List<Map<String, String>> alone) {
    assertThat(workload.classes().stream().map(each -> alone.get(last(each))).toList())
        .as("files of one rank of each class")
        .doesNotHaveDuplicates();
  }

  private Map<String, String> union(List<Map<String, String>> trees) {
    Map<String, String> union = new TreeMap<>();
    for (Map<String, String> tree : trees) {
      withoutThoseOfTheSet(tree)
          .forEach(
              (file, bytes) ->
                  assertThat(union.merge(file, bytes, (before, now) -> now))
                      .as("%s, written for another rank", file)
                      .isEqualTo(bytes));
    }
    return union;
  }

  private Map<String, String> withoutThoseOfTheSet(Map<String, String> tree) {
    Map<String, String> rest = new TreeMap<>(tree);
    rest.keySet().removeIf(this::dependsOnRanks);
    return rest;
  }

  private static void same(Map<String, String> files, Map<String, String> expected) {
    assertThat(files).isEqualTo(expected);
  }
}
