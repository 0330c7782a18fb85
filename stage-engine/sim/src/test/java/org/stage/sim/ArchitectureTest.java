package org.stage.sim;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The simulation is inside plugins and below the engine, so it knows neither. */
@AnalyzeClasses(packages = "org.stage.sim", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule durationsDoNotDependOnWhatElseRuns =
      noClasses()
          .that()
          .resideInAPackage("org.stage.sim.cost..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.stage.sim");

  @ArchTest
  static final ArchRule theSimulationKnowsJavaAndTheApiAlone =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("org.stage.sim..", "org.stage.api..", "java..", "org.jspecify..")
                  .onResultOf(JavaClass::getBaseComponentType)
                  .or(describe("primitive", type -> type.getBaseComponentType().isPrimitive())));
}
