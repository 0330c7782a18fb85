package org.stage.api;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What a plugin sees drags in nothing else. */
@AnalyzeClasses(packages = "org.stage.api", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final DescribedPredicate<JavaClass> OURS_OR_JAVA =
      resideInAnyPackage("org.stage.api..", "java..", "org.jspecify..")
          .onResultOf(JavaClass::getBaseComponentType)
          .or(describe("primitive", type -> type.getBaseComponentType().isPrimitive()));

  @ArchTest
  static final ArchRule onlyTheExtensionPointsKnowThePluginFrameworkAndTheLogger =
      classes()
          .that()
          .resideInAPackage("org.stage.api.plugin..")
          .should()
          .onlyDependOnClassesThat(
              OURS_OR_JAVA.or(
                  describe(
                      "org.pf4j.ExtensionPoint or org.slf4j.Logger",
                      type ->
                          type.getName().equals("org.pf4j.ExtensionPoint")
                              || type.getName().equals("org.slf4j.Logger"))));

  @ArchTest
  static final ArchRule allOthersKnowJavaAndTheApiAlone =
      classes()
          .that()
          .resideOutsideOfPackage("org.stage.api.plugin..")
          .should()
          .onlyDependOnClassesThat(OURS_OR_JAVA);

  @ArchTest
  static final ArchRule packagesDoNotDependOnEachOtherInCircles =
      slices().matching("org.stage.api.(*)..").should().beFreeOfCycles();
}
