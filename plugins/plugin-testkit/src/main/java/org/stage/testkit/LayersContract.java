package org.stage.testkit;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/**
 * The layers of a plugin that keeps what it knows of a file format in a package {@code format}, and
 * what it checks in a package {@code check}. A test in the plugin's root package extends this
 * class, and has {@code com.tngtech.archunit:archunit-junit6} among its dependencies:
 *
 * <pre>{@code
 * class LayersTest extends LayersContract {}
 * }</pre>
 */
public abstract class LayersContract {
  /** The plugin's root package; by default that of the test. */
  protected String root() {
    return getClass().getPackageName();
  }

  /** The plugin's classes, without tests. */
  protected final JavaClasses classes() {
    // Rules about packages need names alone: what is imported from elsewhere is not looked into.
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .importPackages(root());
  }

  @Test
  void theFormatKnowsOnlyBytesAndFiles() {
    check(
        noClasses()
            .that()
            .resideInAPackage(root() + ".format..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.stage.api..", "org.pf4j..", "org.slf4j.."));
  }

  @Test
  void theFormatStandsBelowAllElse() {
    check(
        noClasses()
            .that()
            .resideInAPackage(root() + ".format..")
            .should()
            .dependOnClassesThat(
                resideInAPackage(root() + "..")
                    .and(resideInAPackage(root() + ".format..").negate())));
  }

  @Test
  void checksDoNotKnowTheTranslation() {
    check(
        noClasses()
            .that()
            .resideInAPackage(root() + ".check")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(root()));
  }

  /** Checks a rule that may be about packages which a plugin does not have. */
  protected final void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(classes());
  }
}
