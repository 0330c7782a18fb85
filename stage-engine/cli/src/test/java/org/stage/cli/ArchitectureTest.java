package org.stage.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.stage.calibrate.ProfileSet;
import org.stage.engine.Synthesis;
import org.stage.host.ExportRun;
import org.stage.host.Failures;
import org.stage.host.LoadedPlugin;
import org.stage.host.PluginIssue;
import org.stage.host.PluginStatus;
import org.stage.host.PluginStore;
import org.stage.workloadfile.HardwarePresets;
import org.stage.workloadfile.Presets;

/** Commands parse, call the application and print; what is done, the application does. */
class ArchitectureTest {
  private static final JavaClasses CLI =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.stage.cli");

  /** Of the engine and the host, it sees what the application hands out, and prints it. */
  private static final ArchRule SEES_RESULTS_ONLY =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      "java..",
                      "org.jspecify..",
                      "picocli..",
                      "org.stage.api..",
                      "org.stage.app..",
                      "org.stage.cli..",
                      "org.stage.job..",
                      "org.stage.analyze..",
                      "org.stage.calibrate..",
                      "org.stage.schedule..")
                  .or(
                      belongToAnyOf(
                          Synthesis.class,
                          Presets.Preset.class,
                          HardwarePresets.Preset.class,
                          ExportRun.Result.class,
                          LoadedPlugin.class,
                          PluginIssue.class,
                          PluginStatus.class,
                          Failures.class)));

  /** It makes none of them, by constructor or by factory: that is what a door is. */
  private static final ArchRule OPENS_NO_DOOR =
      noClasses()
          .should()
          .callCodeUnitWhere(
              describe("a door of the engine or the host", ArchitectureTest::opensDoor));

  private static boolean opensDoor(JavaCall<?> call) {
    JavaClass owner = call.getTargetOwner();
    boolean elsewhere =
        !resideInAnyPackage("org.stage..").test(owner)
            || resideInAnyPackage("org.stage.api..", "org.stage.app..", "org.stage.cli..")
                .test(owner);
    if (elsewhere || owner.isEnum() || owner.isEquivalentTo(Failures.class)) {
      return false;
    }
    return !(call instanceof JavaMethodCall)
        || call.getTarget()
            .resolveMember()
            .orElseThrow()
            .getModifiers()
            .contains(JavaModifier.STATIC);
  }

  @Test
  void theyKnowTheApplicationAndTheResultsThatTheyPrint() {
    SEES_RESULTS_ONLY.check(CLI);
  }

  @Test
  void theyOpenNoDoorOfTheEngineOrTheHost() {
    OPENS_NO_DOOR.check(CLI);
  }

  @Test
  void whatTheRulesForbidWouldBeSeen() {
    JavaClasses probe = new ClassFileImporter().importClasses(Probe.class);

    assertThat(SEES_RESULTS_ONLY.evaluate(probe).getFailureReport().getDetails())
        .isNotEmpty()
        .allMatch(line -> line.contains("PluginStore"));
    assertThat(OPENS_NO_DOOR.evaluate(probe).getFailureReport().getDetails())
        .hasSize(2)
        .anyMatch(line -> line.contains("ProfileSet.of"))
        .anyMatch(line -> line.contains("PluginStore.<init>"));
  }

  /** Opens two doors, of which it may see but one. */
  static final class Probe {
    Object results() {
      return ProfileSet.of(List.of());
    }

    Object plugins() {
      return new PluginStore(Path.of("plugins"));
    }
  }
}
