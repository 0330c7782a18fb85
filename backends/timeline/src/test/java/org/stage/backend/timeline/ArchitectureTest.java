package org.stage.backend.timeline;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;
import org.stage.testkit.LayersContract;

final class ArchitectureTest extends LayersContract {
  @Test
  void theSimulationDoesNotKnowWhatIsWritten() {
    check(
        noClasses()
            .that()
            .resideInAPackage(root() + ".sim")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(root(), root() + ".format"));
  }
}
