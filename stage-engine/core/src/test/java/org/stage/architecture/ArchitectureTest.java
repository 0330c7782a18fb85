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
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.stage.calibrate.Calibration;
import org.stage.job.Job;
import org.stage.schedule.Pipeline;

/** The rooms of the engine, in the order in which data passes them: none knows a later one. */
class ArchitectureTest {
  private static final List<String> ROOMS =
      List.of(
          "arithmetic",
          "schedule",
          "job",
          "workloadfile",
          "operator",
          "module",
          "model",
          "transform",
          "backward",
          "parallel",
          "state",
          "plan",
          "emit",
          "analyze",
          "calibrate",
          "estimate",
          "engine");

  /** All classes of the engine, wherever they stand. */
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .importUrl(Job.class.getProtectionDomain().getCodeSource().getLocation());

  private static String[] packages(Stream<String> names) {
    return names.map(name -> "org.stage." + name + "..").toArray(String[]::new);
  }

  /** A class of a room knows none of the rooms behind it. */
  private static ArchRule roomKnowsNoLaterOne(int room) {
    return noClasses()
        .that()
        .resideInAnyPackage(packages(Stream.of(ROOMS.get(room))))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages(ROOMS.stream().skip(room + 1L)))
        .as(ROOMS.get(room) + " knows no later room")
        .allowEmptyShould(true);
  }

  /** A new package gets its place among the rooms, and on the map. */
  private static final ArchRule EVERY_CLASS_IS_IN_A_ROOM =
      classes()
          .that()
          .resideOutsideOfPackages(packages(ROOMS.stream()))
          .should(ArchCondition.from(describe("be in a room", type -> false)))
          .as("every class is in a room")
          .allowEmptyShould(true);

  private static final ArchRule NO_CIRCLES =
      slices().matching("org.stage.(*)..").should().beFreeOfCycles();

  private static final ArchRule KNOWS_ONLY_API_SIM_AND_JACKSON =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("java..", "org.jspecify..", "org.stage.api..", "org.stage.sim..")
                  .or(resideInAnyPackage(packages(ROOMS.stream())))
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
                    ROOMS.get(room), () -> roomKnowsNoLaterOne(room).check(CORE)));
  }

  @Test
  void everyClassIsInARoom() {
    EVERY_CLASS_IS_IN_A_ROOM.check(CORE);
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

    assertThat(
            roomKnowsNoLaterOne(ROOMS.indexOf("schedule"))
                .evaluate(probe)
                .getFailureReport()
                .getDetails())
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
