package org.stage.plugin.kineto;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "org.stage.plugin.kineto",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  @ArchTest
  static final ArchRule formatKnowsNothingOfStage =
      noClasses()
          .that()
          .resideInAPackage("..format..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.stage.api..", "org.pf4j..", "org.slf4j..");

  @ArchTest
  static final ArchRule nothingIsLogged =
      noClasses()
          .should()
          .callMethodWhere(
              com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                  com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner(
                      com.tngtech.archunit.core.domain.properties.HasName.Predicates
                          .nameStartingWith("org.slf4j"))));
}
