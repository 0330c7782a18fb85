package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConvertCommandTest {
  @TempDir static Path home;
  @TempDir Path temp;
  private Path traces;
  private Path out;

  @BeforeAll
  static void makeDistribution() throws IOException {
    Distribution.make(home);
  }

  @BeforeEach
  void writeTraces() throws IOException {
    traces = Files.createDirectory(temp.resolve("traces"));
    out = temp.resolve("out");
    write("rank");
  }

  private void write(String text) throws IOException {
    Files.writeString(traces.resolve("0.fake"), text);
    Files.writeString(traces.resolve("1.fake"), text);
  }

  private Run convert(String... more) {
    List<String> args =
        new ArrayList<>(List.of("convert", traces.toString(), "--out", out.toString()));
    args.addAll(List.of(more));
    return Run.of(home, args.toArray(String[]::new));
  }

  @Test
  void findsTheFormatAndEndsWithAShortTable() {
    Run run = convert("--to", "fake");

    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .contains("workload              fake, read from fake\n")
        .contains("ranks                 2\n")
        .contains("classes               1\n")
        .contains("nodes                 2\n")
        .contains("written to            " + out.resolve("fake") + "\n");
    assertThat(out.resolve("fake/1.fake")).exists();
  }

  @Test
  void writesTheRanksAskedForOnly() {
    assertThat(convert("--to", "fake", "--from", "fake", "--ranks", "1").out())
        .contains("ranks                 2, of which 1 exported\n");
    assertThat(out.resolve("fake/0.fake")).doesNotExist();
  }

  @Test
  void setsOptionsOfExporters() {
    Run run = convert("--to", "fake", "--set", "fake.mood=input");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(convert("--to", "fake", "--set", "other.mood=x").err())
        .contains("--set: 'other.mood=x' sets no option of an exporter")
        .contains("Write it like fake.OPTION=VALUE.");
    assertThat(convert("--to", "fake", "--set", "fake.x=1").err())
        .contains("--set fake: option 'x' is not known. Options: mood.");
  }

  @Test
  void saysWhatIsLostInReadingAndWritesItDown() throws Exception {
    write("lossy");

    Run run = convert("--to", "fake");

    assertThat(run.exit()).isZero();
    assertThat(run.err()).startsWith("warning: 0.fake: colours\n");
    assertThat(out.resolve("fake/export-report.json")).content().contains("\"colours\"");
  }

  @Test
  void leavesNothingWhereALossIsNotWanted() throws Exception {
    write("lossy");

    Run run = convert("--to", "fake", "--fail-if-lossy");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("the export to fake loses something (1 said above)");
    assertThat(out).doesNotExist();
  }

  @Test
  void damageThatIsFoundLateIsStillTheInputsFault() throws Exception {
    write("late");

    Run run = convert("--to", "fake");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("error: 0.fake: is damaged after all");
    assertThat(out).doesNotExist();
  }

  @Test
  void aFaultOfTheImporterIsNotTheExporters() throws Exception {
    write("bug");
    assertThat(convert("--to", "fake").err())
        .contains("failed in reading rank 0: IllegalStateException: boom");

    write("illegal");
    assertThat(convert("--to", "fake").err()).contains("node 7 (load) is number 0");
  }

  @Test
  void refusesToReplaceWhatItReads() {
    Run run = Run.of(home, "convert", traces.toString(), "--to", "fake", "--out", temp.toString());
    assertThat(run.exit()).isZero();

    run =
        Run.of(
            home,
            "convert",
            temp.resolve("fake").toString(),
            "--to",
            "fake",
            "--out",
            temp.toString(),
            "--force");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("holds the traces that are to be read");
  }

  @Test
  void refusesWhatIsNotThere() throws Exception {
    assertThat(convert("--to", "x").err())
        .contains("--to: there is no exporter 'x'. There are: fake.");
    assertThat(convert("--to", "fake,fake").err()).contains("'fake' is asked for twice");
    assertThat(convert("--to", "fake", "--from", "x").err())
        .contains("--from: there is no format to convert from 'x'. There are: fake.");
    assertThat(convert().err()).contains("Missing required option: '--to=NAME'");
    assertThat(convert("--to", "fake", "--ranks", "2").err()).contains("there is no rank 2");
    Files.delete(traces.resolve("0.fake"));
    assertThat(convert("--to", "fake").err()).contains("holds no traces of a known format");
    assertThat(Run.of(home, "convert", temp.resolve("no").toString(), "--to", "fake").err())
        .contains("no: does not exist");
  }
}
