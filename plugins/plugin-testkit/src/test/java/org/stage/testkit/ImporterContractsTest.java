package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.stage.api.plugin.WorkloadImporter;
import org.stage.testkit.FaultyImporter.Fault;

/** The contract of importers of traces stands for those that share its promises. */
class ImporterContractsTest {
  @TempDir Path temp;

  /** A test of the contract. */
  private interface Promise {
    void hold(WorkloadImporterContract contract) throws Throwable;
  }

  private static final Map<String, Promise> PROMISES = new LinkedHashMap<>();

  static {
    PROMISES.put("name", ReadingContract::hasANameADescriptionAndHelpForEachOption);
    PROMISES.put("declares", ReadingContract::declaresTheSameEachTime);
    PROMISES.put("accepts", ReadingContract::acceptsTheSample);
    PROMISES.put("foreign", ReadingContract::doesNotAcceptWhatIsOfAnotherFormat);
    PROMISES.put("again", ReadingContract::readsTheSampleAgainWithTheSameResult);
    PROMISES.put("locale", ReadingContract::doesNotDependOnLocaleOrTimeZone);
    PROMISES.put("writes", ReadingContract::writesNothingWhereItReads);
    PROMISES.put("empty", DamageContract::refusesAnEmptyFileByName);
    PROMISES.put("random", DamageContract::refusesRandomBytesByName);
    PROMISES.put("cut", DamageContract::noticesThatAFileIsCutShort);
    PROMISES.put("damage", DamageContract::readsOrRefusesAFileWithSomeBytesDamaged);
    PROMISES.put("stop", ImportRunContract::asksWhetherToStopAndStops);
    PROMISES.put("progress", ImportRunContract::reportsProgressUpToTheTotal);
    PROMISES.put("options", ImporterContractsTest::allOptions);
    PROMISES.put("legal", WorkloadImporterContract::makesALegalWorkloadOfLegalGraphs);
    PROMISES.put("nodes", WorkloadImporterContract::findsNodesOnEveryRankOfTheSample);
  }

  private static void allOptions(WorkloadImporterContract contract) throws Throwable {
    Iterator<DynamicTest> tests = contract.takesOrRefusesEveryValueOfAnOption().iterator();
    while (tests.hasNext()) {
      tests.next().getExecutable().execute();
    }
  }

  private static Set<String> brokenBy(Fault fault) {
    return switch (fault) {
      case NONE -> Set.of();
      case NAME -> Set.of("name");
      case COUNTS_OPTIONS -> Set.of("declares");
      case ACCEPTS_NOTHING -> Set.of("accepts");
      case ACCEPTS_ALL -> Set.of("foreign");
      case COUNTS_RUNS -> Set.of("again");
      case DEFAULT_LOCALE -> Set.of("locale");
      case WRITES_BESIDE -> Set.of("writes");
      case TAKES_EMPTY -> Set.of("empty");
      case TAKES_ALL -> Set.of("empty", "random", "cut");
      case NAMES_NO_FILE -> Set.of("empty", "random", "cut");
      case BREAKS_ON_DAMAGE, FAILS_ON_DAMAGE -> Set.of("empty", "random", "cut", "damage");
      case NEVER_STOPS -> Set.of("stop");
      case OVERSHOOTS -> Set.of("progress");
      case BREAKS_ON_AN_OPTION -> Set.of("options");
      case ILLEGAL_GRAPH -> Set.of("legal");
      case NO_NODES -> Set.of("nodes");
    };
  }

  @ParameterizedTest
  @EnumSource
  void eachFaultBreaksItsPromise(Fault fault) throws Exception {
    for (Map.Entry<String, Promise> promise : PROMISES.entrySet()) {
      WorkloadImporterContract contract = new Contract(fault);
      contract.temp = Files.createDirectories(temp.resolve(promise.getKey()));
      Throwable broken = catchThrowable(() -> promise.getValue().hold(contract));
      if (brokenBy(fault).contains(promise.getKey())) {
        assertThat(broken).as(promise.getKey()).isNotNull();
      } else if (fault == Fault.NONE) {
        assertThat(broken).as(promise.getKey()).isNull();
      }
    }
  }

  /** Not run by itself: its tests belong to another class. */
  private static final class Contract extends WorkloadImporterContract {
    private final Fault fault;

    Contract(Fault fault) {
      this.fault = fault;
    }

    @Override
    protected WorkloadImporter importer() {
      return new FaultyImporter(fault);
    }

    @Override
    protected Path writeSample(Path folder) throws IOException {
      return Files.writeString(folder.resolve("job.txt"), "mine\nsome text\nend\n");
    }
  }
}
