package org.stage.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.stage.state.StateTexts.zero;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.stage.state.StateAction.Kind;

class StateActionTest {
  private static final Work COPY = new Work.HostCopy(true, 1);

  @Test
  void oneThatWorksOnNoBufferSaysSo() {
    StateAction update = StateAction.of(Kind.UPDATE, "adam", Moment.UPDATE, COPY);
    assertThat(update.buffer()).isEmpty();
    assertThat(update.parameters()).isEmpty();
    assertThatThrownBy(update::flatBuffer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("adam works on no buffer");
  }

  @Test
  void oneThatWorksOnABufferHasIt() {
    ModuleStates states = StateTexts.states(zero(1));
    assertThat(states.at(Moment.AFTER_LAST_BACKWARD).get(0).flatBuffer())
        .isSameAs(states.buffers().get(0));
  }

  @Test
  void bothKindsOfScatteringScatter() {
    for (Kind kind : Kind.values()) {
      assertThat(StateAction.of(kind, "it", Moment.UPDATE, COPY).scatters())
          .as(kind.name())
          .isEqualTo(kind.name().startsWith("SCATTER"));
    }
  }

  @Test
  void parametersCannotBeChangedLater() {
    List<String> parameters = new ArrayList<>(List.of("w"));
    StateAction action =
        new StateAction(Kind.REDUCE, "it", Moment.UPDATE, COPY, Optional.empty(), parameters);
    parameters.clear();
    assertThat(action.parameters()).containsExactly("w");
  }
}
