package org.stage.host;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The host serves any program that exports: it knows the API and PF4J, and no engine. */
class ArchitectureTest {
  private static final ArchRule KNOWS_API_AND_PF4J =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      "java..",
                      "org.jspecify..",
                      "org.pf4j..",
                      "org.slf4j..",
                      "org.stage.api..",
                      "org.stage.host..")
                  .onResultOf(JavaClass::getBaseComponentType)
                  .or(describe("primitive", type -> type.getBaseComponentType().isPrimitive())));

  @Test
  void theHostKnowsTheApiAndThePluginFramework() {
    JavaClasses host =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.stage.host");
    KNOWS_API_AND_PF4J.check(host);
  }

  @Test
  void anythingElseWouldBeSeen() {
    JavaClasses probe = new ClassFileImporter().importClasses(Probe.class);
    assertThat(KNOWS_API_AND_PF4J.evaluate(probe).hasViolation()).isTrue();
  }

  /** Knows a library that the host does not. */
  static final class Probe {
    Object foreign() {
      return Assertions.assertThat(1);
    }
  }
}
