package org.stage.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.RankClass;
import org.stage.engine.Synthesis;

class SessionTest {
  @TempDir Path temp;

  private Path out;
  private Path plugins;
  private JobRequest job;

  @BeforeEach
  void writeAJobAndAPlugin() throws IOException {
    out = temp.resolve("out");
    plugins = Files.createDirectory(temp.resolve("plugins"));
    LinesExporter.pack(plugins);
    Path file = temp.resolve("job.yaml");
    Files.writeString(
        file,
        """
        model: {preset: llama-3.2-1b, layers: 2}
        mesh: {tp: 2, pp: 2}
        training: {global_batch: 4, seq: 128}
        exports: [lines]
        """);
    job = JobRequest.of(file);
  }

  private Session session(Listener listener) {
    return new Session(List.of(plugins), listener);
  }

  @Test
  void aJobIsInspectedWithoutAnyPlugin() {
    try (Session session =
        new Session(
            () -> {
              throw new AssertionError("no plugin is needed");
            },
            Optional.empty(),
            true,
            Listener.NONE)) {
      Synthesis synthesis = session.inspect(job);

      assertThat(synthesis.analysis().mesh().devices()).isEqualTo(4);
      assertThat(synthesis.calibration()).isEmpty();
    }
  }

  @Test
  void aJobIsExportedAsItsFileSays() {
    try (Session session = session(Listener.NONE)) {
      SynthResult result = session.synth(SynthRequest.of(job, out));

      assertThat(result.exported().exports())
          .singleElement()
          .satisfies(each -> assertThat(each.directory()).isEqualTo(out.resolve("lines")));
    }
    assertThat(out.resolve("lines/lines.txt")).hasContent("0-1\n2-3");
    assertThat(out.resolve("calibration.json")).doesNotExist();
  }

  @Test
  void jobsSideBySideLieWhereTheyArePlacedAndMayBeSlow() {
    SynthRequest two =
        new SynthRequest(
            List.of(job, job), "4-7,0-3", "both", List.of("5:1.5"), List.of(), Output.to(out));
    try (Session session = session(Listener.NONE)) {
      SynthResult result = session.synth(two);

      assertThat(result.analyses()).hasSize(2);
      assertThat(result.exported().workload().name()).isEqualTo("both");
      assertThat(result.exported().workload().jobs())
          .extracting(JobMesh::ranks)
          .extracting(Object::toString)
          .containsExactly("0-3", "4-7");
      assertThat(result.exported().workload().classes())
          .extracting(RankClass::slowdown)
          .containsExactly(1.0, 1.0, 1.0, 1.5, 1.0);
    }
  }

  @Test
  void theListenerHearsInTheOrderInWhichItHappens() {
    List<String> heard = new ArrayList<>();
    Listener listener =
        new Listener() {
          @Override
          public void say(Diagnostic diagnostic) {
            heard.add(diagnostic.message());
          }

          @Override
          public Task begin(String name) {
            heard.add("begin " + name);
            return new Task() {
              @Override
              public void report(long done, long total, String unit) {
                heard.add(done + " of " + total + " " + unit);
              }

              @Override
              public void close() {
                heard.add("end " + name);
              }
            };
          }

          @Override
          public void filesAtStake(Unfinished files) {
            heard.add("files");
            assertThat(files.folders()).contains(out);
            assertThat(out).doesNotExist();
          }
        };
    try (Session session = session(listener)) {
      session.synth(SynthRequest.of(job, out));
    }

    assertThat(heard)
        .containsExactly("files", "begin lines", "2 of 2 classes", "end lines", "is short");
  }

  @Test
  void aListenerThatStopsTheWorkLeavesNoFiles() {
    Listener impatient =
        new Listener() {
          @Override
          public void checkCancelled() {
            throw new CancellationException("stopped");
          }
        };
    try (Session session = session(impatient)) {
      assertThatThrownBy(() -> session.synth(SynthRequest.of(job, out)))
          .isInstanceOf(CancellationException.class);
    }
    assertThat(out).doesNotExist();
  }

  @Test
  void aBrokenPluginIsSaidAndEndsOnlyAStrictSession() throws IOException {
    Files.writeString(plugins.resolve("bad.jar"), "no JAR");
    List<String> said = new ArrayList<>();
    Listener listener =
        new Listener() {
          @Override
          public void say(Diagnostic diagnostic) {
            said.add(diagnostic.severity() + " " + diagnostic.source());
          }
        };
    try (Session session = session(listener)) {
      assertThat(session.extensions()).extracting(ExtensionInfo::name).containsExactly("lines");
      assertThat(session.pluginIssues()).hasSize(1);
    }
    try (Session strict = new Session(() -> List.of(plugins), Optional.empty(), true, listener)) {
      assertThatThrownBy(strict::extensions).isInstanceOf(InputException.class);
    }
    assertThat(said).containsExactly("WARNING plugin bad.jar", "ERROR plugin bad.jar");
  }
}
