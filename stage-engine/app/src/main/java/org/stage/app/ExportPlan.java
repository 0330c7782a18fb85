package org.stage.app;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.OptionValues;
import org.stage.app.JobReading.ReadJob;
import org.stage.host.Extension;
import org.stage.host.Plugins;
import org.stage.workloadfile.WorkloadFile.Export;

/**
 * Which exporters are to run, with their options.
 *
 * @param items in the order asked for
 */
record ExportPlan(List<Item> items) {
  /**
   * One export.
   *
   * @param exporter the exporter
   * @param options its options, checked
   */
  record Item(Extension<Exporter> exporter, OptionValues options) {}

  /**
   * Checks what is asked for.
   *
   * @param to names in place of those of the file, whose options stay
   * @param settings options that go before those of the file
   */
  static ExportPlan of(ReadJob job, List<String> to, ExportSettings settings, Plugins plugins) {
    List<Item> items = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    String source = to.isEmpty() ? job.source() + ", exports" : "--to";
    for (Export export : to.isEmpty() ? job.exports() : named(to, job)) {
      String name = export.to();
      if (!seen.add(name)) {
        throw new InputException(source, "'" + name + "' is asked for twice", "");
      }
      String place = settings.place(name, job.source() + ", exports, " + name);
      items.add(item(plugins, source, name, place, settings.over(name, export.options())));
    }
    ExportPlan plan = new ExportPlan(List.copyOf(items));
    settings.requireAmong(plan.names());
    return plan;
  }

  /**
   * Checks what is asked for without a workload file.
   *
   * @param to names
   * @param settings options as {@code NAME.OPTION=VALUE}
   */
  static ExportPlan of(List<String> to, List<String> settings, Plugins plugins) {
    List<String> names = to.stream().map(String::strip).toList();
    ExportSettings options = ExportSettings.of(settings, names);
    List<Item> items = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new InputException("--to", "'" + name + "' is asked for twice", "");
      }
      items.add(item(plugins, "--to", name, "--set " + name, options.over(name, Map.of())));
    }
    return new ExportPlan(List.copyOf(items));
  }

  List<String> names() {
    return items.stream().map(item -> item.exporter().name()).toList();
  }

  /** An exporter named in {@code source}, with the options that {@code place} gives it. */
  private static Item item(
      Plugins plugins, String source, String name, String place, Map<String, String> options) {
    Extension<Exporter> exporter = plugins.find(Exporter.class, "exporter", source, name);
    return new Item(
        exporter,
        exporter.call("options()", each -> OptionValues.of(place, each.options(), options)));
  }

  private static List<Export> named(List<String> to, ReadJob job) {
    List<Export> exports = new ArrayList<>();
    for (String name : to) {
      Export bare = new Export(name.strip(), Map.of());
      exports.add(
          job.exports().stream()
              .filter(export -> export.to().equals(bare.to()))
              .findFirst()
              .orElse(bare));
    }
    return exports;
  }
}
