package org.stage.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.stage.app.PluginKind;
import org.stage.app.PluginProject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stage plugins new}. */
@Command(
    name = "new",
    description = "Writes a plugin project, ready to build with Maven, into ./NAME.")
final class PluginNewCommand implements Callable<Integer> {
  private final Stage stage;

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "The name of the format: lower case letters, digits and dashes.")
  private Path name = Path.of("");

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description =
          "What the example in it is: exporter (default), profile-importer, model-importer,"
              + " workload-importer, validator.")
  private String kind = PluginKind.EXPORTER.text();

  PluginNewCommand(Stage stage) {
    this.stage = stage;
  }

  @Override
  public Integer call() {
    PluginProject project = PluginProject.of(name, PluginKind.of(kind), stage.world().home());
    project.write(name);
    PrintWriter out = stage.world().out();
    out.println("wrote " + name);
    out.println("build it:    mvn -f " + name + " verify");
    out.println(
        "install it:  stage plugins install " + name.resolve("target/" + project.jarName()));
    return ExitCode.DONE;
  }
}
