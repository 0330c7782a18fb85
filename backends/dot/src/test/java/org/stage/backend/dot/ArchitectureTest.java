package org.stage.backend.dot;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "org.stage.backend.dot",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  @ArchTest
  static final ArchRule formatKnowsOnlyTextAndFiles =
      noClasses()
          .that()
          .resideInAPackage("..format..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.stage.api..", "org.stage.backend.dot", "org.pf4j..", "org.slf4j..");
}
