package org.stage.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.stage.engine.Synthesis;
import org.stage.host.ExportRun;
import org.stage.host.LoadedPlugin;
import org.stage.host.PluginIssue;
import org.stage.host.PluginStatus;
import org.stage.host.Plugins;
import org.stage.workloadfile.HardwarePresets;
import org.stage.workloadfile.Presets;

/** What the application knows of the engine and the host, and what of it the application shows. */
class ArchitectureTest {
  private static final JavaClasses APP =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.stage.app");

  /** Behind these stand passes of the engine, which it puts in order itself. */
  private static final String[] DOORS = {
    "org.stage.engine..", "org.stage.host..", "org.stage.workloadfile.."
  };

  /** What comes through the doors and is shown. */
  private static final Set<String> RESULTS =
      Set.of(
          Synthesis.class.getName(),
          Presets.Preset.class.getName(),
          HardwarePresets.Preset.class.getName(),
          ExportRun.Result.class.getName(),
          LoadedPlugin.class.getName(),
          PluginIssue.class.getName(),
          PluginStatus.class.getName());

  private static final ArchRule SHOWS_NO_DOOR =
      codeUnits()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .arePublic()
          .should(ArchCondition.from(describe("show no door", ArchitectureTest::showsNoDoor)));

  private static boolean showsNoDoor(JavaCodeUnit unit) {
    return Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream())
        .flatMap(type -> type.getAllInvolvedRawTypes().stream())
        .allMatch(type -> RESULTS.contains(type.getName()) || !isBehindDoor(type));
  }

  private static boolean isBehindDoor(JavaClass type) {
    return Stream.of(DOORS)
        .anyMatch(door -> JavaClass.Predicates.resideInAPackage(door).test(type));
  }

  @Test
  void itUsesTheDoorsAndTheResults() {
    classes()
        .should()
        .onlyDependOnClassesThat(
            JavaClass.Predicates.resideInAnyPackage(DOORS)
                .or(
                    JavaClass.Predicates.resideInAnyPackage(
                        "java..",
                        "org.jspecify..",
                        "com.fasterxml.jackson.core..",
                        "org.stage.api..",
                        "org.stage.app..",
                        "org.stage.job..",
                        "org.stage.analyze..",
                        "org.stage.calibrate..",
                        "org.stage.schedule..")))
        .check(APP);
  }

  @Test
  void itPrintsNothing() {
    ArchRuleDefinition.noClasses().should(ACCESS_STANDARD_STREAMS).check(APP);
  }

  @Test
  void itsCallersGetResultsAndNoDoors() {
    SHOWS_NO_DOOR.check(APP);
  }

  @Test
  void aDoorWouldBeSeen() {
    JavaClasses probe = new ClassFileImporter().importClasses(Probe.class);

    assertThat(SHOWS_NO_DOOR.evaluate(probe).getFailureReport().getDetails())
        .singleElement()
        .asString()
        .contains("doors()");
  }

  /** Gives a door away. */
  public static final class Probe {
    public List<Plugins> doors() {
      return List.of();
    }

    public List<PluginIssue> results() {
      return List.of();
    }
  }
}
