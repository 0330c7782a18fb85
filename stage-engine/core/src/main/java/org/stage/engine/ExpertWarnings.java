package org.stage.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.spec.ExpertRows;
import org.stage.spec.WorkloadSpec;

/** Says where experts are not equally loaded, and which rows exceed their capacity. */
final class ExpertWarnings {
  private ExpertWarnings() {}

  static List<Diagnostic> of(WorkloadSpec spec) {
    int first = spec.model().layers() - spec.model().expertLayers();
    List<ExpertRows> all = ExpertRows.of(spec);
    List<ExpertRows> layers = all.isEmpty() ? all : all.subList(first, all.size());
    if (layers.isEmpty()) {
      return List.of();
    }
    List<Diagnostic> warnings = new ArrayList<>();
    ExpertRows fullest = Collections.max(layers, Comparator.comparingDouble(ExpertRows::imbalance));
    if (fullest.most() > Collections.min(fullest.received())) {
      warnings.add(
          Diagnostic.warning(
              spec.source() + ", training.expert_load",
              String.format(
                  Locale.ROOT,
                  "the fullest of %d expert-parallel ranks has %.2f times the mean rows in layers.%d,"
                      + " and the others wait for it",
                  fullest.received().size(),
                  fullest.imbalance(),
                  first + layers.indexOf(fullest)),
              ""));
    }
    long dropped = layers.stream().mapToLong(ExpertRows::dropped).sum();
    if (dropped > 0) {
      long chosen = layers.stream().mapToLong(ExpertRows::chosen).sum();
      warnings.add(
          Diagnostic.warning(
              spec.source() + ", training.expert_capacity",
              String.format(
                  Locale.ROOT,
                  "%.2f %% of the rows exceed the capacity of their experts and are dropped",
                  100.0 * dropped / chosen),
              "Raise the factor to drop fewer."));
    }
    return warnings;
  }
}
