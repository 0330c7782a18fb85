package org.stage.backend.genie;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "org.stage.backend.genie",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  @ArchTest
  static final ArchRule formatKnowsOnlyTextAndFiles =
      noClasses()
          .that()
          .resideInAPackage("..format..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.stage.api..", "org.pf4j..", "org.slf4j..");

  @ArchTest
  static final ArchRule formatStandsBelowTheTranslation =
      noClasses()
          .that()
          .resideInAPackage("..format..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.stage.backend.genie", "org.stage.backend.genie.check");

  @ArchTest
  static final ArchRule checksDoNotKnowTheExporter =
      noClasses()
          .that()
          .resideInAPackage("..check")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.stage.backend.genie");
}
