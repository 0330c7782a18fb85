package org.stage.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Exporter;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;

/** A plugin of one class: writes the ranks of each class as a line of one file. */
public final class LinesExporter implements Exporter {
  /** Packs the plugin into {@code folder}. */
  static void pack(Path folder) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
    manifest.getMainAttributes().putValue("Plugin-Id", "lines");
    manifest.getMainAttributes().putValue("Plugin-Version", "1.0.0");
    manifest.getMainAttributes().putValue("Plugin-Requires", ">=0.1.0");
    String name = LinesExporter.class.getName();
    String file = name.replace('.', '/') + ".class";
    try (OutputStream to = Files.newOutputStream(folder.resolve("lines.jar"));
        JarOutputStream jar = new JarOutputStream(to, manifest);
        InputStream code = LinesExporter.class.getResourceAsStream("LinesExporter.class")) {
      jar.putNextEntry(new JarEntry("META-INF/extensions.idx"));
      jar.write((name + "\n").getBytes(UTF_8));
      jar.putNextEntry(new JarEntry(file));
      code.transferTo(jar);
    }
  }

  @Override
  public String name() {
    return "lines";
  }

  @Override
  public String description() {
    return "writes a line a class";
  }

  @Override
  public ExportReport export(Workload workload, ExportContext context) throws IOException {
    List<String> lines =
        workload.classes().stream().map(RankClass::ranks).map(Object::toString).toList();
    context.progress().report(lines.size(), lines.size(), "classes");
    Files.write(context.directory().resolve("lines.txt"), lines);
    return new ExportReport(lines.size(), List.of(Diagnostic.warning("lines", "is short", "")));
  }
}
