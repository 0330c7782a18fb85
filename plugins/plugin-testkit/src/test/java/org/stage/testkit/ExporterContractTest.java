package org.stage.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.stage.api.plugin.Exporter;
import org.stage.testkit.FaultyExporter.Fault;

class ExporterContractTest {
  @TempDir Path temp;

  /** A test of the contract. */
  private interface Promise {
    void hold(ExporterContract contract) throws Throwable;
  }

  private static final Map<String, Promise> PROMISES = new LinkedHashMap<>();

  static {
    PROMISES.put("name", ExporterContract::hasANameADescriptionAndHelpForEachOption);
    PROMISES.put("declares", ExporterContract::declaresWhatItCanSayAndTheSameEachTime);
    PROMISES.put("says", all(ExporterContract::writesWhatItDeclaresAndRefusesTheRest));
    PROMISES.put("again", ExporterContract::writesTheSameBytesAgain);
    PROMISES.put("threads", ExporterContract::writesTheSameBytesOnSeveralThreadsAtOnce);
    PROMISES.put("dependencies", ExporterContract::keepsDependenciesOrSaysThatTheyAreLost);
    PROMISES.put("sizes", ExporterContract::keepsSizesBeyond32BitsOrSaysThatTheyAreLost);
    PROMISES.put("locale", ExporterContract::doesNotDependOnLocaleOrTimeZone);
    PROMISES.put("directory", ExporterContract::writesUnderItsDirectoryOnly);
    PROMISES.put("escape", ExporterContract::leavesItsDirectoryForNoNameOfAWorkload);
    PROMISES.put("ranks", all(ExporterContract::writesForSomeRanksWhatItWritesForAll));
    PROMISES.put("workloads", all(ExporterContract::writesOrRefusesEveryNameOfAWorkload));
    PROMISES.put("nodes", all(ExporterContract::writesOrRefusesEveryNameOfANode));
    PROMISES.put("letters", ExporterContract::writesNamesOfLetters);
    PROMISES.put("options", all(ExporterContract::takesOrRefusesEveryValueOfAnOption));
    PROMISES.put("names", ExporterContract::takesNamesOfAnyCharacters);
    PROMISES.put("long", ExporterContract::takesAChainOfTenThousandNodes);
    PROMISES.put("stop", ExporterContract::asksWhetherToStopAndStops);
    PROMISES.put("progress", ExporterContract::reportsProgressUpToTheTotal);
    PROMISES.put("fails", ExporterContract::failsWhereItCannotWrite);
  }

  /** The tests of a factory. */
  private interface Factory {
    Stream<DynamicTest> tests(ExporterContract contract);
  }

  private static Promise all(Factory factory) {
    return contract -> {
      for (Iterator<DynamicTest> tests = factory.tests(contract).iterator(); tests.hasNext(); ) {
        tests.next().getExecutable().execute();
      }
    };
  }

  private static String brokenBy(Fault fault) {
    return switch (fault) {
      case NONE -> "";
      case NAME -> "name";
      case UNDECLARED -> "declares";
      case REFUSES_NOTHING, LOSES_SILENTLY -> "says";
      case NAMES_THREADS -> "threads";
      case DROPS_DEPENDENCIES -> "dependencies";
      case CUTS_SIZES -> "sizes";
      case COUNTS_RUNS -> "again";
      case DEFAULT_LOCALE -> "locale";
      case WRITES_BESIDE -> "directory";
      case NAMES_FILES_BY_WORKLOAD -> "escape";
      case MIXES_RANKS, RANK_0_ONLY, IGNORES_RANKS, FILLS_GAPS, COUNTS_FILES -> "ranks";
      case BREAKS_ON_A_WORKLOAD -> "workloads";
      case QUOTES_NOTHING, CUTS_NAMES, REFUSES_NO_NAME -> "nodes";
      case FORGETS_NAMES -> "letters";
      case BREAKS_ON_AN_OPTION -> "options";
      case BREAKS_ON_NAMES -> "names";
      case RECURSES -> "long";
      case NEVER_STOPS -> "stop";
      case OVERSHOOTS -> "progress";
      case SWALLOWS_FAILURES -> "fails";
    };
  }

  @ParameterizedTest
  @EnumSource
  void eachFaultBreaksItsPromise(Fault fault) throws Exception {
    for (Map.Entry<String, Promise> promise : PROMISES.entrySet()) {
      ExporterContract contract = new Contract(fault);
      contract.temp = Files.createDirectories(temp.resolve(promise.getKey()));
      if (fault == Fault.NONE) {
        assertThat(catchThrowable(() -> promise.getValue().hold(contract)))
            .as(promise.getKey())
            .isNull();
      } else if (promise.getKey().equals(brokenBy(fault))) {
        assertThat(catchThrowable(() -> promise.getValue().hold(contract)))
            .as(promise.getKey())
            .isNotNull();
      }
    }
  }

  /** What says a job as a whole, and so breaks the contract unless it says that it does. */
  @Test
  void aFormatOfTheWholeJobWritesTheSameForAllRanks() throws Throwable {
    Promise ranks = all(ExporterContract::writesForSomeRanksWhatItWritesForAll);
    Contract whole = new Contract(Fault.IGNORES_RANKS, true);
    whole.temp = Files.createDirectories(temp.resolve("whole"));
    ranks.hold(whole);

    Contract parts = new Contract(Fault.NONE, true);
    parts.temp = Files.createDirectories(temp.resolve("parts"));
    assertThat(catchThrowable(() -> ranks.hold(parts))).isNotNull();
  }

  /** Not run by itself: its tests belong to another class. */
  private static final class Contract extends ExporterContract {
    private final Fault fault;
    private final boolean whole;

    Contract(Fault fault) {
      this(fault, false);
    }

    Contract(Fault fault, boolean whole) {
      this.fault = fault;
      this.whole = whole;
    }

    @Override
    protected Exporter exporter() {
      return new FaultyExporter(fault);
    }

    @Override
    protected boolean ofTheWholeJob() {
      return whole;
    }

    @Override
    protected Set<String> nodeNames(Path directory) throws IOException {
      List<String> lines = Files.readAllLines(directory.resolve("rank0.txt"));
      return lines.stream().skip(1).map(line -> URLDecoder.decode(line, UTF_8)).collect(toSet());
    }
  }
}
