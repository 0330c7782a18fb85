package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
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
    PROMISES.put("ranks", ExporterContract::leavesOutRanksWithoutChangingTheOthersFiles);
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
      case MIXES_RANKS -> "ranks";
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
      ExporterContract contract =
          new ExporterContract() {
            @Override
            protected Exporter exporter() {
              return new FaultyExporter(fault);
            }
          };
      contract.temp = Files.createDirectories(temp.resolve(promise.getKey()));
      Throwable broken = catchThrowable(() -> promise.getValue().hold(contract));
      if (promise.getKey().equals(brokenBy(fault))) {
        assertThat(broken).as(promise.getKey()).isNotNull();
      } else if (fault == Fault.NONE) {
        assertThat(broken).as(promise.getKey()).isNull();
      }
    }
  }
}
