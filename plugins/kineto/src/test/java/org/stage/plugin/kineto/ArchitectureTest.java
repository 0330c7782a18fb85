package org.stage.plugin.kineto;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;
import org.stage.testkit.LayersContract;

final class ArchitectureTest extends LayersContract {
  @Test
  void nothingIsLogged() {
    check(noClasses().should().callMethodWhere(target(owner(nameStartingWith("org.slf4j")))));
  }
}
