package org.stage.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Exporter;
import org.stage.api.workload.Workload;

class ExportRunTest {
  private static final String HALF =
      "Files.writeString(context.directory().resolve(\"half.txt\"), \"half\");";

  @TempDir Path temp;
  private Path out;
  private Plugins plugins;

  @BeforeEach
  void loadExporters() throws IOException {
    out = temp.resolve("some/where");
    Path folder = Files.createDirectory(temp.resolve("plugins"));
    PluginJar.good("good")
        .exporter("failing", HALF + "throw new IllegalStateException(\"boom\");")
        .exporter("full", HALF + "throw new IOException(\"No space left on device\");")
        .exporter("null", "return null;")
        .exporter("hungry", HALF + "throw new OutOfMemoryError();")
        .exporter("deep", "return export(workload, context);")
        .exporter("waiting", HALF + "context.checkCancelled(); return null;")
        .exporter("graphs", "workload.classes().get(0).graph(); return null;")
        .write(folder.resolve("p.jar"));
    plugins = Plugins.load(List.of(folder), issue -> {}, "0.1.0");
    assertThat(plugins.issues()).isEmpty();
  }

  @AfterEach
  void closePlugins() {
    plugins.close();
  }

  private ExportRun.Result export(String name, boolean force) {
    return export(name, force, Workloads.request());
  }

  private ExportRun.Result export(String name, boolean force, ExportRun.Request request) {
    Extension<Exporter> exporter = plugins.find(Exporter.class, "exporter", "", name);
    try (ExportRun run = ExportRun.open(out, List.of(name), force, begun -> {})) {
      return Workloads.export(run, exporter, request);
    }
  }

  private List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void putsTheFilesIntoPlaceAndCountsThem() throws Exception {
    ExportRun.Result result = export("good", false);

    assertThat(result.files()).isEqualTo(1);
    assertThat(result.bytes()).isEqualTo(5);
    assertThat(result.report().nodes()).isEqualTo(7);
    assertThat(names(out)).containsExactly("good");
    assertThat(out.resolve("good/a.txt")).hasContent("hello");
  }

  @Test
  void leavesNothingOfAnExporterThatThrows() {
    assertThatThrownBy(() -> export("failing", false))
        .isInstanceOf(WorkException.class)
        .hasMessageStartingWith(
            "plugin good 1.2.0 (p.jar): failed in export: IllegalStateException: boom.");

    assertThat(temp.resolve("some")).doesNotExist();
  }

  @Test
  void keepsAFolderThatWasThereBefore() throws Exception {
    Files.createDirectories(out);

    assertThatThrownBy(() -> export("failing", false)).isInstanceOf(WorkException.class);

    assertThat(names(out)).isEmpty();
  }

  @Test
  void passesOnWhyWritingFailed() {
    assertThatThrownBy(() -> export("full", false))
        .isInstanceOf(WorkException.class)
        .hasMessageEndingWith(
            "full: cannot be written: plugin good 1.2.0 (p.jar): export: No space left on device."
                + " Name a folder by --out that has room for it and that you may write to.");
  }

  @Test
  void namesThePluginThatReturnsNullOrOverflowsTheStack() {
    assertThatThrownBy(() -> export("null", false)).hasMessageContaining("plugin good");
    assertThatThrownBy(() -> export("deep", false)).hasMessageContaining("StackOverflowError");
  }

  @Test
  void namesThePluginThatRunsOutOfMemory() {
    assertThatThrownBy(() -> export("hungry", false))
        .isInstanceOf(WorkException.class)
        .hasMessageContaining(
            "plugin good 1.2.0 (p.jar): failed in export: out of memory, of which")
        .hasMessageContaining("STAGE_JAVA_OPTS=-Xmx8g");
    assertThat(temp.resolve("some")).doesNotExist();
  }

  @Test
  void doesNotBlameThePluginForTheEnginesMemory() {
    Workload workload =
        Workloads.of(
            () -> {
              throw new OutOfMemoryError("engine");
            });

    assertThatThrownBy(() -> export("graphs", false, Workloads.request(workload, () -> {})))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage("engine");
  }

  @Test
  void canBeClosedByAnotherThreadWhileTheExporterWrites() throws Exception {
    try (ExportRun run = ExportRun.open(out, List.of("good"), false, begun -> {})) {
      ExportRun.Result result =
          run.prepare(plugins.find(Exporter.class, "exporter", "", "good"), Workloads.request());

      Thread other = new Thread(run::close);
      other.start();
      other.join();

      assertThatThrownBy(
              () -> run.publish(plugins.find(Exporter.class, "exporter", "", "good"), result))
          .isInstanceOf(CancellationException.class);
    }
    assertThat(temp.resolve("some")).doesNotExist();
  }

  @Test
  void doesNotBlameThePluginForTheEngine() {
    Workload workload =
        Workloads.of(
            () -> {
              throw new IllegalStateException("engine");
            });

    assertThatThrownBy(() -> export("graphs", false, Workloads.request(workload, () -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("engine");
  }

  @Test
  void leavesNothingWhenStopped() {
    Cancellation cancellation =
        () -> {
          throw new CancellationException("stopped");
        };
    ExportRun.Request request = Workloads.request(Workloads.request().workload(), cancellation);

    assertThatThrownBy(() -> export("waiting", false, request))
        .isInstanceOf(CancellationException.class);
    assertThatThrownBy(() -> export("good", false, request))
        .isInstanceOf(CancellationException.class);

    assertThat(temp.resolve("some")).doesNotExist();
  }

  @Test
  void refusesOutputThatIsThereBeforeAnyWork() throws Exception {
    export("good", false);

    assertThatThrownBy(() -> ExportRun.open(out, List.of("full", "good"), false, begun -> {}))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("good: is there already and not empty. Replace it by --force");

    assertThat(names(out)).containsExactly("good");
  }

  @Test
  void takesAnEmptyFolderAsFree() throws Exception {
    Files.createDirectories(out.resolve("good"));

    export("good", false);

    assertThat(names(out.resolve("good"))).containsExactly("a.txt");
  }

  @Test
  void replacesTheWholeByForce() throws Exception {
    Files.createDirectories(out.resolve("good/old"));
    Files.writeString(out.resolve("good/old/x.txt"), "x");

    export("good", true);

    assertThat(names(out)).containsExactly("good");
    assertThat(names(out.resolve("good"))).containsExactly("a.txt");
  }

  @Test
  void keepsTheOldWhereAForcedRunFails() throws Exception {
    Files.createDirectories(out.resolve("failing"));
    Files.writeString(out.resolve("failing/x.txt"), "x");

    assertThatThrownBy(() -> export("failing", true)).isInstanceOf(WorkException.class);

    assertThat(names(out)).containsExactly("failing");
    assertThat(names(out.resolve("failing"))).containsExactly("x.txt");
  }

  @Test
  void doesNotReplaceWhatAppearsMeanwhile() throws Exception {
    Extension<Exporter> exporter = plugins.find(Exporter.class, "exporter", "", "good");
    try (ExportRun run = ExportRun.open(out, List.of("good"), false, begun -> {})) {
      Files.createDirectories(out.resolve("good"));
      Files.writeString(out.resolve("good/x.txt"), "x");
      assertThatThrownBy(() -> Workloads.export(run, exporter, Workloads.request()))
          .isInstanceOf(WorkException.class)
          .hasMessageContaining("in the meantime");
    }
    assertThat(names(out)).containsExactly("good");
    assertThat(names(out.resolve("good"))).containsExactly("x.txt");
  }

  @Test
  void removesTheLeftoversOfAKilledRun() throws Exception {
    Path leftover = Files.createDirectories(out.resolve(".good.tmp-0123456789abcdef"));
    Files.createFile(leftover.resolve(Staging.LOCK));
    Files.createDirectories(leftover.resolve(Staging.FILES));
    Path unborn = Files.createDirectories(out.resolve(".good.tmp-0123456789abcde0"));
    Files.setLastModifiedTime(unborn, FileTime.from(Instant.now().minusSeconds(3600)));
    Path other = Files.createDirectories(out.resolve(".good.tmp-mine"));

    export("good", false);

    assertThat(names(out)).containsExactly(other.getFileName().toString(), "good");
  }

  @Test
  void givesBackWhatAKilledForcedRunHadSetAside() throws Exception {
    Path leftover = Files.createDirectories(out.resolve(".good.tmp-0123456789abcdef"));
    Files.createFile(leftover.resolve(Staging.LOCK));
    Files.createDirectories(leftover.resolve(Staging.OLD));
    Files.writeString(leftover.resolve(Staging.OLD).resolve("x.txt"), "x");

    assertThatThrownBy(() -> export("good", false)).isInstanceOf(InputException.class);

    assertThat(names(out)).containsExactly("good");
    assertThat(names(out.resolve("good"))).containsExactly("x.txt");
  }

  @Test
  void leavesTheFolderOfARunInProgressAlone() throws Exception {
    try (ExportRun first = ExportRun.open(out, List.of("good"), false, begun -> {})) {
      export("good", false);
      assertThat(names(out)).hasSize(2).contains("good");
    }
    assertThat(names(out)).containsExactly("good");
  }

  @Test
  void refusesAFileInPlaceOfAFolder() throws Exception {
    Files.writeString(temp.resolve("some"), "x");

    assertThatThrownBy(
            () -> ExportRun.open(temp.resolve("some"), List.of("good"), false, begun -> {}))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("some: is a file, not a folder");
    assertThatThrownBy(() -> ExportRun.open(out, List.of("good"), false, begun -> {}))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("some is a file, not a folder");
  }
}
