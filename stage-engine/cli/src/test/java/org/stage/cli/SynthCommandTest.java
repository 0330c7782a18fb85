package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SynthCommandTest {
  @TempDir static Path home;
  @TempDir Path temp;

  @BeforeAll
  static void makeDistribution() throws IOException {
    Distribution.make(home);
  }

  private Run synth(String... options) {
    return Run.of(
        home,
        Stream.concat(
                Stream.of("synth", home.resolve("job.yaml").toString(), "--out", out().toString()),
                Stream.of(options))
            .toArray(String[]::new));
  }

  private Path out() {
    return temp.resolve("out");
  }

  private List<String> written() throws IOException {
    try (Stream<Path> files = Files.list(out().resolve("fake"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private String withMood(String mood) throws IOException {
    Path file = temp.resolve("mood.yaml");
    String job = Files.readString(home.resolve("job.yaml"));
    Files.writeString(file, job.replace("[fake]", "[{to: fake, mood: " + mood + "}]"));
    return file.toString();
  }

  @Test
  void exportsAndEndsWithAShortTable() throws Exception {
    Run run = synth();

    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .contains("ranks                 8\n")
        .containsPattern("peak memory per rank  \\S+ .?B\n")
        .contains("files                 9\n")
        .contains("written to            " + out().resolve("fake") + "\n");
    assertThat(run.err()).isEqualTo("warning: fake: drops names\n");
    assertThat(written()).hasSize(9).contains("export-report.json");
  }

  @Test
  void saysNothingButErrorsWhenQuiet() {
    assertThat(synth("-q").err()).isEmpty();
  }

  @Test
  void writesTheRanksAskedForOnly() throws Exception {
    Run run = synth("--ranks", "0-1,7");

    assertThat(run.out()).contains("ranks                 8, of which 3 exported\n");
    assertThat(written()).containsExactly("0.fake", "1.fake", "7.fake", "export-report.json");
  }

  @Test
  void refusesRanksThatAreNotThere() {
    assertThat(synth("--ranks", "0-999999999").err())
        .isEqualTo("error: --ranks: there is no rank 999999999. Ranks are 0 to 7.\n");
    assertThat(synth("--ranks", "0..7").err()).contains("is not a list of ranks such as 0-7,64");
    assertThat(synth("--ranks", "7-0").exit()).isEqualTo(2);
  }

  @Test
  void overridesTheFile() throws Exception {
    assertThat(synth("--set", "mesh.tp=2", "--set=mesh.dp=1").exit()).isZero();

    assertThat(written()).containsExactly("0.fake", "1.fake", "export-report.json");
  }

  @Test
  void setsAnOptionOfAnExporter() {
    assertThat(synth("--set", "fake.mood=input").err())
        .isEqualTo("error: fake: cannot say that. Say less.\n");
    assertThat(synth("--set", "fake.mood=sad").err())
        .startsWith("error: --set fake: option 'mood' is 'sad'. Expected good or bug");
  }

  @Test
  void refusesOutputThatIsThereUnlessForced() throws Exception {
    synth();
    Files.writeString(out().resolve("fake/extra"), "");

    Run refused = synth();
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("is there already and not empty. Replace it by --force");

    assertThat(synth("--force").exit()).isZero();
    assertThat(written()).hasSize(9).contains("export-report.json");
  }

  @Test
  void listsTheExportersThereAreForOneThatIsNot() {
    Run run = synth("--to", "fake,chakra");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("error: --to: there is no exporter 'chakra'. There are: fake.\n");
    assertThat(out()).doesNotExist();
  }

  @Test
  void writesWhatTheExporterReportsBesideItsFiles() throws Exception {
    synth();

    assertThat(out().resolve("fake/export-report.json"))
        .content()
        .contains("\"format\": \"fake\"")
        .contains(
            "{\"severity\": \"warning\", \"source\": \"fake\", \"message\": \"drops names\","
                + " \"remedy\": \"\"}");
  }

  @Test
  void leavesNothingWhereALossIsNotWanted() {
    Run run = synth("--fail-if-lossy");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "warning: fake: drops names\n"
                + "error: --fail-if-lossy: the export to fake has warnings. Nothing was written;"
                + " run without --fail-if-lossy to accept that.\n");
    assertThat(out()).doesNotExist();
  }

  @Test
  void refusesAnExporterTwice() {
    assertThat(synth("--to", "fake", "--to", "fake").err()).contains("'fake' is asked for twice");
  }

  @Test
  void refusesAProfileThatIsNotThere() {
    Run run = synth("--profile", "rank0.json");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("error: --profile: there is no file 'rank0.json'\n");
  }

  @Test
  void failsWithoutStackTraceAndWithoutFilesWhereAPluginDoes() throws Exception {
    Run run = Run.of(home, "synth", withMood("bug"), "--out", out().toString());

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "error: plugin fake 1.0.0 (fake.jar): failed in export: IllegalStateException: boom."
                + " Run again with --debug for the stack trace, and report it to the author of the"
                + " plugin.\n");
    assertThat(out()).doesNotExist();
  }

  @Test
  void showsTheStackTraceWhenDebugging() throws Exception {
    Run run = Run.of(home, "--debug", "synth", withMood("bug"), "--out", out().toString());

    assertThat(run.err()).contains("Caused by: java.lang.IllegalStateException: boom");
  }

  @Test
  void showsAPluginNothingOfTheApplication() throws Exception {
    Run run = Run.of(home, "synth", withMood("curious"), "--out", out().toString());

    assertThat(run.err()).isEqualTo("warning: fake: drops names\n");
    assertThat(run.exit()).isZero();
  }

  @Test
  void takesAPluginsWordThatTheInputIsWrong() throws Exception {
    Run run = Run.of(home, "synth", withMood("input"), "--out", out().toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("error: fake: cannot say that. Say less.\n");
  }

  @Test
  void saysHowToGetMoreMemory() throws Exception {
    Run run = Run.of(home, "synth", withMood("memory"), "--out", out().toString());

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .startsWith(
            "error: plugin fake 1.0.0 (fake.jar): failed in export: out of memory, of which")
        .contains("STAGE_JAVA_OPTS=-Xmx8g");
    assertThat(out()).doesNotExist();
  }

  @Test
  void refusesAnOptionValueThatThePluginDoesNotKnow() throws Exception {
    Run run = Run.of(home, "synth", withMood("sad"), "--out", out().toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("exports, fake: option 'mood' is 'sad'. Expected good or bug");
  }

  @Test
  void stopsWithoutLeavingFiles() {
    Interruption interruption = new Interruption(new PrintWriter(Writer.nullWriter()));
    interruption.stop();

    Run run =
        Run.of(
            home,
            Map.of(),
            interruption,
            "synth",
            home.resolve("job.yaml").toString(),
            "--out",
            out().toString());

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).startsWith("error: stopped");
    assertThat(out()).doesNotExist();
  }

  @Test
  void addsPluginFoldersAndGoesOnWithoutABadJar() throws Exception {
    Path folder = Files.createDirectory(temp.resolve("more"));
    Files.writeString(folder.resolve("bad.jar"), "no JAR");

    Run run = synth("--plugins", folder.toString());

    assertThat(run.exit()).isZero();
    assertThat(run.err()).startsWith("warning: plugin bad.jar: it cannot be read as a JAR");
  }

  @Test
  void stopsAtABadJarWhenStrict() throws Exception {
    Path folder = Files.createDirectory(temp.resolve("more"));
    Files.writeString(folder.resolve("bad.jar"), "no JAR");

    Run run =
        Run.of(
            home,
            Map.of("STAGE_PLUGINS", folder.toString()),
            new Interruption(new PrintWriter(Writer.nullWriter())),
            "synth",
            home.resolve("job.yaml").toString(),
            "--strict-plugins",
            "-q");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("bad.jar").contains("--strict-plugins");
  }

  @Test
  void refusesAPluginFolderThatIsNotThere() {
    Run run = synth("--plugins", "nowhere");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("error: --plugins: nowhere does not exist");
  }
}
