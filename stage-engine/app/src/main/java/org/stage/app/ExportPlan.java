package org.stage.app;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
   */
  static ExportPlan of(ReadJob job, List<String> to, Plugins plugins) {
    List<Item> items = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    String source = to.isEmpty() ? job.source() + ", exports" : "--to";
    for (Export export : to.isEmpty() ? job.exports() : named(to, job)) {
      if (!seen.add(export.to())) {
        throw new InputException(source, "'" + export.to() + "' is asked for twice", "");
      }
      String place = job.source() + ", exports, " + export.to();
      items.add(item(plugins, source, export.to(), place, export.options()));
    }
    return new ExportPlan(List.copyOf(items));
  }

  /**
   * Checks what is asked for without a workload file.
   *
   * @param to names
   * @param settings options as {@code NAME.OPTION=VALUE}
   */
  static ExportPlan of(List<String> to, List<String> settings, Plugins plugins) {
    Map<String, Map<String, String>> options = new LinkedHashMap<>();
    for (String name : to) {
      if (options.put(name.strip(), new TreeMap<>()) != null) {
        throw new InputException("--to", "'" + name.strip() + "' is asked for twice", "");
      }
    }
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      int dot = setting.indexOf('.');
      Map<String, String> known =
          dot < 0 || equals < dot ? null : options.get(setting.substring(0, dot));
      if (known == null) {
        throw new InputException(
            "--set",
            "'" + setting + "' sets no option of an exporter",
            "Write it like " + to.get(0).strip() + ".OPTION=VALUE.");
      }
      known.put(setting.substring(dot + 1, equals), setting.substring(equals + 1));
    }
    List<Item> items = new ArrayList<>();
    options.forEach(
        (name, values) -> items.add(item(plugins, "--to", name, "--set " + name, values)));
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
