package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stage synth} with several files, and with slow ranks. */
class SeveralJobsTest {
  @TempDir static Path home;
  @TempDir Path temp;

  /** 8 devices. */
  private static String eight;

  /** 2 devices. */
  private static String two;

  @BeforeAll
  static void makeDistribution() throws IOException {
    Distribution.make(home);
    eight = home.resolve("job.yaml").toString();
    two = home.resolve("two.yaml").toString();
    Files.writeString(
        home.resolve("two.yaml"),
        """
        name: two
        model: {preset: llama-3.2-1b, layers: 2}
        mesh: {pp: 2}
        training: {global_batch: 4, seq: 128, precision: bf16}
        exports: [chakra]
        """);
  }

  private Run synth(String... arguments) {
    return Run.of(
        home,
        Stream.concat(
                Stream.of("synth", "--out", temp.resolve("out").toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  private List<String> written() throws IOException {
    try (Stream<Path> files = Files.list(temp.resolve("out/fake"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".fake"))
          .sorted()
          .toList();
    }
  }

  @Test
  void jobsForOtherDevicesAreNamedByTheirFiles() throws Exception {
    Path other = home.resolve("other.yaml");
    Files.writeString(other, Files.readString(Path.of(two)) + "hardware: a100\n");

    assertThat(synth(two, other.toString(), "--to", "fake").err())
        .contains("error: " + other + ", hardware: is a100")
        .contains("but not given in " + two);
  }

  @Test
  void theTableIsThereForScriptsToo() throws Exception {
    JsonNode said = new ObjectMapper().readTree(synth(eight, two, "--to", "fake", "--json").out());

    assertThat(said.get("workloads")).hasSize(2);
    assertThat(said.get("ranks").intValue()).isEqualTo(10);
    assertThat(said.get("exported_ranks").intValue()).isEqualTo(10);
    assertThat(said.get("nodes").longValue()).isPositive();
    assertThat(said.get("exports").get(0).get("directory").textValue())
        .isEqualTo(temp.resolve("out/fake").toString());
  }

  @Test
  void jobsAreSummedUpAndTheFirstFileNamesTheExports() throws Exception {
    Run run = synth(eight, two);

    assertThat(run.err()).isEqualTo("warning: fake: drops names\n");
    assertThat(run.out())
        .contains("workload              llama-3.2-1b-changed on 8 devices, tp=4 dp=2 pp=1\n")
        .contains("workload              llama-3.2-1b-changed on 2 devices, tp=1 dp=1 pp=2\n")
        .contains("ranks                 10\n")
        .contains("classes               3\n");
    assertThat(run.exit()).isZero();
    assertThat(written()).hasSize(10);
  }

  @Test
  void jobsLieWhereTheyArePlaced() throws Exception {
    assertThat(synth(eight, two, "--place", "0-3+6-9,4-5", "--ranks", "4-6").exit()).isZero();

    assertThat(written()).containsExactly("4.fake", "5.fake", "6.fake");
  }

  @Test
  void placesAreRefusedByTheFileThatTheyDoNotFit() {
    assertThat(synth(eight, two, "--place", "0-7").err())
        .isEqualTo(
            "error: --place: places 1 jobs, but there are 2. Give a range of ranks for each job,"
                + " in the order of the files.\n");
    assertThat(synth(eight, two, "--place", "0-7,8").err())
        .contains("--place: gives job " + two + " 1 rank (8), but it has 2 devices");
    assertThat(synth(eight, two, "--place", "0-7,7-8").err())
        .contains("on ranks 7, on which another is. A device runs one job.");
    assertThat(synth(eight, two, "--place", "0-7,9-10").err())
        .contains("leaves ranks 8 idle. Together the jobs have 10 devices");
    assertThat(synth(eight, two, "--place", "0-7;8-9").err())
        .contains("'0-7;8-9' is no range of ranks. Give one for each job, such as 0-63,64-127");
    assertThat(synth(eight, two, "--place", "0-7,").exit()).isEqualTo(2);
  }

  @Test
  void aNameIsHeldToWhatAFileMaySay() {
    assertThat(synth(eight, two, "--name", "both").exit()).isZero();

    Run refused = synth(eight, two, "--name", "a/b", "--force");
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err()).contains("name").contains("a/b");
  }

  @Test
  void slowRanksAreInTheTable() {
    Run run = synth(eight, "--slow", "5:1.2", "--slow", "6-7:1.3");

    assertThat(run.err()).isEqualTo("warning: fake: drops names\n");
    assertThat(run.out())
        .contains("classes               3\n")
        .contains("slow ranks            5, 1.2 times\n")
        .contains("slow ranks            6-7, 1.3 times\n");
  }

  @Test
  void slownessIsRefusedThatIsNone() {
    assertThat(synth(eight, "--slow", "5").err())
        .isEqualTo("error: --slow: '5' is not RANKS:FACTOR. For example --slow 5:1.2.\n");
    assertThat(synth(eight, "--slow", "5:0.9").err())
        .contains("'5:0.9' makes nothing slower. Give a factor above 1");
    assertThat(synth(eight, "--slow", "8:2").err())
        .isEqualTo("error: --slow: there is no rank 8. Ranks are 0 to 7.\n");
    assertThat(synth(eight, "--slow", "1-2:2", "--slow", "2:3").err())
        .contains("--slow: rank 2 is named twice");
    assertThat(synth(eight, "--slow", "1:1e9").exit()).isEqualTo(2);
  }

  @Test
  void aNetworkOfTheFirstJobAloneIsReplacedWithAWarning() {
    String network = "network=[{topology: ring, size: 8, gb_per_s: 100, latency_ns: 10}]";

    assertThat(synth(eight, two, "--set", network).err())
        .contains(
            "network: is not of the 10 devices of all jobs: one switch takes its place. Give the"
                + " first file a network whose sizes multiply to them.");
  }
}
