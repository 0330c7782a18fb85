package org.stage.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.freeze.FreezingArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.stage.calibrate.Calibration;
import org.stage.job.Job;
import org.stage.schedule.Pipeline;

/**
 * The rooms of the engine, in the order in which data passes them: none knows a later one.
 *
 * <p>Breaches that stood when a rule was made are frozen in {@code src/test/frozen}; a new one
 * fails the test, and so does one that is gone and still stands there. Then run the test with
 * {@code -Darchunit.freeze.store.default.allowStoreUpdate=true}, which only ever takes lines away.
 */
class ArchitectureTest {
  /** Rooms, each with the packages that are to be moved into it and meanwhile stand there. */
  private static final List<List<String>> ROOMS =
      List.of(
          List.of("arithmetic"),
          List.of("job"),
          List.of("workloadfile"),
          List.of("operator"),
          List.of("module"),
          List.of("model"),
          List.of("transform"),
          List.of("backward"),
          List.of("parallel"),
          List.of("schedule"),
          List.of("state"),
          List.of("plan", "instantiate"),
          List.of("emit"),
          List.of("analyze"),
          List.of("calibrate"),
          List.of("estimate"),
          List.of("engine"));

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOMS.stream().flatMap(List::stream).map("org.stage."::concat).toList());

  private static String[] packages(Stream<String> names) {
    return names.map(name -> "org.stage." + name + "..").toArray(String[]::new);
  }

  /** A class of a room knows none of the rooms behind it. */
  private static ArchRule roomKnowsNoLaterOne(int room) {
    return noClasses()
        .that()
        .resideInAnyPackage(packages(ROOMS.get(room).stream()))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            packages(ROOMS.subList(room + 1, ROOMS.size()).stream().flatMap(List::stream)))
        .as(ROOMS.get(room).get(0) + " knows no later room")
        .allowEmptyShould(true);
  }

  /** Packages that are no room of their own are on their way into one. */
  private static final ArchRule EVERY_CLASS_IS_IN_A_ROOM =
      classes()
          .that()
          .resideOutsideOfPackages(packages(ROOMS.stream().map(room -> room.get(0))))
          .should(ArchCondition.from(describe("be moved into a room", type -> false)))
          .as("every class is in a room")
          .allowEmptyShould(true);

  private static final ArchRule NO_CIRCLES =
      slices().matching("org.stage.(*)..").should().beFreeOfCycles();

  private static final ArchRule KNOWS_ONLY_API_SIM_AND_JACKSON =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("java..", "org.jspecify..", "org.stage.api..", "org.stage.sim..")
                  .or(resideInAnyPackage(packages(ROOMS.stream().flatMap(List::stream))))
                  .or(resideInAnyPackage("com.fasterxml.jackson..", "org.yaml.snakeyaml.."))
                  .onResultOf(JavaClass::getBaseComponentType)
                  .or(describe("primitive", type -> type.getBaseComponentType().isPrimitive())))
          .as("the engine knows the API, the simulation and Jackson");

  private static final ArchRule ONLY_FILES_ARE_PARSED =
      noClasses()
          .that()
          .resideOutsideOfPackages(packages(Stream.of("workloadfile", "module")))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.fasterxml.jackson..", "org.yaml.snakeyaml..")
          .as("workload and module files alone are parsed");

  private static final ArchRule ONLY_CALIBRATION_AND_ESTIMATES_KNOW_PRICES =
      noClasses()
          .that()
          .resideOutsideOfPackages(packages(Stream.of("calibrate", "estimate", "engine")))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.stage.sim..")
          .as("calibration and estimates alone know how long work takes");

  @TestFactory
  Stream<DynamicTest> noRoomKnowsALaterOne() {
    return Stream.iterate(0, room -> room < ROOMS.size(), room -> room + 1)
        .map(
            room ->
                DynamicTest.dynamicTest(
                    ROOMS.get(room).get(0), () -> roomKnowsNoLaterOne(room).check(CORE)));
  }

  @Test
  void everyClassIsInARoom() {
    FreezingArchRule.freeze(EVERY_CLASS_IS_IN_A_ROOM).check(CORE);
  }

  @Test
  void packagesDoNotKnowEachOtherInCircles() {
    NO_CIRCLES.check(CORE);
  }

  @Test
  void theEngineKnowsNoPluginFrameworkNoProtobufAndNoCommandLine() {
    KNOWS_ONLY_API_SIM_AND_JACKSON.check(CORE);
  }

  @Test
  void filesAreParsedWhereTheyAreRead() {
    ONLY_FILES_ARE_PARSED.check(CORE);
  }

  @Test
  void pricesAreKnownWhereTimeIs() {
    ONLY_CALIBRATION_AND_ESTIMATES_KNOW_PRICES.check(CORE);
  }

  @Test
  void aRoomThatKnewALaterOneWouldBeSeen() {
    JavaClasses probe =
        new ClassFileImporter().importClasses(org.stage.schedule.Probe.class, Calibration.class);

    assertThat(roomKnowsNoLaterOne(9).evaluate(probe).getFailureReport().getDetails())
        .singleElement()
        .asString()
        .contains("org.stage.schedule.Probe", "org.stage.calibrate.Calibration");
  }

  @Test
  void aClassOutsideOfTheRoomsAndAForeignLibraryWouldBeSeen() {
    JavaClasses probe = new ClassFileImporter().importClasses(Probe.class);

    assertThat(EVERY_CLASS_IS_IN_A_ROOM.evaluate(probe).hasViolation()).isTrue();
    assertThat(KNOWS_ONLY_API_SIM_AND_JACKSON.evaluate(probe).hasViolation()).isTrue();
    assertThat(ONLY_FILES_ARE_PARSED.evaluate(probe).hasViolation()).isTrue();
  }

  @Test
  void aCircleWouldBeSeen() {
    JavaClasses probe =
        new ClassFileImporter()
            .importClasses(Probe.class, org.stage.schedule.Probe.class, Job.class, Pipeline.class);

    assertThat(NO_CIRCLES.evaluate(probe).hasViolation()).isTrue();
  }
}
