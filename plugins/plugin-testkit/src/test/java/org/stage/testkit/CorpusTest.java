package org.stage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ModelFeature;
import org.stage.api.plugin.NodeKind;
import org.stage.api.plugin.Parallelism;
import org.stage.api.text.ExecutionText;
import org.stage.api.workload.Workload;
import org.stage.testkit.text.ExecutionTextParser;

class CorpusTest {
  static Iterable<String> names() {
    return Corpus.names();
  }

  @ParameterizedTest
  @MethodSource("names")
  void eachWorkloadIsLegalAndReadsBack(String name) {
    Workload workload = Corpus.get(name);
    workload.verify();
    workload.classes().forEach(each -> each.graph().verify());
    String text = ExecutionText.print(workload);

    assertThat(ExecutionText.print(ExecutionTextParser.parseWorkload(text))).isEqualTo(text);
  }

  @Test
  void betweenThemTheyAskForEverything() {
    Set<String> asked = new TreeSet<>();
    for (String name : Corpus.names()) {
      asked.addAll(Capabilities.nothing().missing(Corpus.get(name)));
    }

    for (NodeKind kind : NodeKind.values()) {
      assertThat(asked).contains(kind.text());
    }
    for (Parallelism parallelism : Parallelism.values()) {
      assertThat(asked).contains(parallelism.text() + " parallelism");
    }
    for (ModelFeature feature : ModelFeature.values()) {
      assertThat(asked).contains(feature.text());
    }
  }

  @Test
  void anUnknownOneIsRefused() {
    assertThatThrownBy(() -> Corpus.get("nothing")).hasMessageContaining("one-device");
  }
}
