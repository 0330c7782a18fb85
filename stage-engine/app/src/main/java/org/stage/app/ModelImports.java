package org.stage.app;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.stage.api.diagnostic.InputException;
import org.stage.api.keys.WorkloadKeys;
import org.stage.api.plugin.ModelImporter;
import org.stage.api.plugin.ModelImporter.Imported;
import org.stage.host.Extension;
import org.stage.workloadfile.ModelResolver;

/** Asks the importers among the plugins for a model that a workload file names by its path. */
final class ModelImports implements ModelResolver {
  private final LazyPlugins plugins;
  private final Listener listener;

  ModelImports(LazyPlugins plugins, Listener listener) {
    this.plugins = plugins;
    this.listener = listener;
  }

  @Override
  public WorkloadKeys resolve(Path file, String source) {
    List<Extension<ModelImporter>> all = plugins.get().extensions(ModelImporter.class);
    List<Extension<ModelImporter>> fitting =
        all.stream()
            .filter(importer -> importer.call("accepts", instance -> instance.accepts(file)))
            .toList();
    if (fitting.isEmpty()) {
      throw new InputException(
          source,
          "no importer reads " + file,
          all.isEmpty()
              ? "No plugin imports models: name a folder with plugins by --plugins."
              : "There are: " + described(all) + ".");
    }
    if (fitting.size() > 1) {
      throw new InputException(
          source,
          file + " may be read by several importers: " + described(fitting),
          "Remove the plugin that is not meant.");
    }
    Imported imported = fitting.get(0).call("read", instance -> instance.read(file));
    imported.notes().forEach(listener::say);
    return imported.keys();
  }

  private static String described(List<Extension<ModelImporter>> importers) {
    return importers.stream()
        .map(
            each -> each.name() + " (" + each.call("description", ModelImporter::description) + ")")
        .collect(Collectors.joining(", "));
  }
}
