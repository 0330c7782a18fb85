package org.stage.backend.timeline;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "org.stage.backend.timeline",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  @ArchTest
  static final ArchRule formatKnowsOnlyEventsAndFiles =
      noClasses()
          .that()
          .resideInAPackage("..format..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.stage.api..",
              "org.stage.backend.timeline",
              "org.stage.backend.timeline.sim",
              "org.pf4j..",
              "org.slf4j..");

  @ArchTest
  static final ArchRule theSimulationDoesNotKnowWhatIsWritten =
      noClasses()
          .that()
          .resideInAPackage("..sim")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.stage.backend.timeline", "org.stage.backend.timeline.format");
}
