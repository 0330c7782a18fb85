package org.stage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.stage.plugin.kineto.KinetoImporter;

/** {@code stage profile}, from the command line to the importer in its JAR and back. */
class ProfileCommandTest {
  @TempDir static Path home;

  @BeforeAll
  static void makeDistribution() throws IOException {
    Distribution.make(home);
    PackedPlugin.write(home.resolve("plugins"), "kineto", KinetoImporter.class);
  }

  /** One product and one all-reduce that waits. */
  private static Path profile(String name, int rank, long reduceUs, long startUs)
      throws IOException {
    String text =
        """
        {"traceEvents": [
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#7", "pid": 1, "tid": 1,
         "ts": START, "dur": 1000},
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": START, "dur": 50,
         "args": {"Input Dims": [[8, 16], [16, 32]], "Input type": ["c10::BFloat16", "c10::BFloat16"]}},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1,
         "ts": START, "dur": 5, "args": {"correlation": 1}},
        {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": START, "dur": 12.345,
         "args": {"correlation": 1}},
        {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)",
         "pid": 0, "tid": 8, "ts": START, "dur": REDUCE, "args": {"correlation": 2,
         "Collective name": "allreduce", "In msg nelems": 100, "Out msg nelems": 100,
         "Group size": 2, "dtype": "BFloat16", "Process Group Name": "0"}}
        ], "deviceProperties": [{"id": 0, "name": "NVIDIA H100"}], "distributedInfo": {"rank": RANK}}
        """
            .replace("START", Long.toString(startUs))
            .replace("REDUCE", Long.toString(reduceUs))
            .replace("RANK", Integer.toString(rank));
    return Files.writeString(home.resolve(name), text);
  }

  private static JsonNode json(Run run) throws IOException {
    assertThat(run.err()).doesNotContain("error:");
    assertThat(run.exit()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void showsWhatAProfileHolds() throws IOException {
    Path file = profile("one.json", 0, 700, 100);

    JsonNode json = json(Run.of(home, "profile", file.toString(), "--json"));

    assertThat(json.at("/files/0").toString())
        .startsWith(
            "{\"file\":\"one.json\",\"importer\":\"kineto\",\"rank\":0,\"device\":\"NVIDIA H100\","
                + "\"steps\":1,\"kernels\":{\"count\":2,\"total_us\":712.345},"
                + "\"memcpy\":{\"count\":0,\"total_us\":0},\"owned_kernels\":1,\"orphan_kernels\":1,"
                + "\"collectives\":{\"all_reduce\":{\"count\":1,\"total_us\":700,\"bytes\":200}},"
                + "\"gemms\":[{\"op\":\"aten::mm\",\"batch\":1,\"m\":8,\"n\":32,\"k\":16,"
                + "\"dtype\":\"bfloat16\",\"count\":1,\"total_us\":12.345}],"
                + "\"damaged_events\":0,\"truncated\":false,\"warnings\":[");
    assertThat(json.at("/files/0/warnings").toString()).contains("upper bounds");
    assertThat(json.at("/collectives_across_ranks")).isEmpty();
  }

  @Test
  void showsItToPeople() throws IOException {
    Path file = profile("two.json", 0, 700, 100);

    Run run = Run.of(home, "profile", file.toString());

    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .contains(file + ": kineto, rank 0, NVIDIA H100, 1 marked step")
        .contains("all-reduce")
        .contains("1x8x32x16");
    assertThat(run.err()).contains("warning: " + file);
  }

  @Test
  void matchesCollectivesAcrossRanks() throws IOException {
    Path zero = profile("r0.json", 0, 700, 100);
    Path one = profile("r1.json", 1, 20, 100);

    JsonNode json = json(Run.of(home, "profile", zero.toString(), one.toString(), "--json"));

    assertThat(json.at("/collectives_across_ranks").toString())
        .isEqualTo("[{\"kind\":\"all_reduce\",\"instances\":1,\"min_over_ranks_us\":20}]");
    assertThat(json.at("/files/0/warnings").toString()).doesNotContain("upper bounds");
  }

  @Test
  void takesWindowsOfOneRankThatFollowEachOther() throws IOException {
    Path first = profile("w1.json", 0, 700, 100);
    Path second = profile("w2.json", 0, 700, 5_000);

    assertThat(Run.of(home, "profile", first.toString(), second.toString()).exit()).isZero();
  }

  @Test
  void refusesTwoProfilesOfOneRankAndTime() throws IOException {
    Path first = profile("a.json", 3, 700, 100);
    Path second = profile("b.json", 3, 700, 100);

    Run run = Run.of(home, "profile", first.toString(), second.toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("a.json").contains("b.json").contains("rank 3");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void refusesWhatIsNoProfile() throws IOException {
    Path notes = Files.writeString(home.resolve("notes.md"), "no profile");
    Path empty = Files.writeString(home.resolve("empty.json"), "");

    assertThat(Run.of(home, "profile", notes.toString()).err())
        .contains("is no profile of a known kind")
        .contains("kineto");
    assertThat(Run.of(home, "profile", empty.toString(), "--importer", "kineto").err())
        .contains("is empty");
    assertThat(Run.of(home, "profile", home.resolve("none.json").toString()))
        .isEqualTo(
            new Run(
                2,
                "",
                "error: "
                    + home.resolve("none.json")
                    + ": does not exist. Name a profile, as .json or .json.gz.\n"));
    assertThat(Run.of(home, "profile", notes.toString(), "--importer", "none").exit()).isEqualTo(2);
  }

  @Test
  void optionsOfTheImporterAreItsOwn() throws IOException {
    Path file = profile("opt.json", 0, 700, 100);
    // two kernels on one stream: the second begins while the first lasts
    Files.writeString(
        file,
        Files.readString(file)
            .replace("\"pid\": 0, \"tid\": 8, \"ts\": 100", "\"pid\": 0, \"tid\": 7, \"ts\": 110"));

    JsonNode clipped =
        json(
            Run.of(
                home, "profile", file.toString(), "--json", "--set", "kineto.clip-overlaps=true"));
    assertThat(clipped.at("/files/0/kernels/total_us").asDouble()).isEqualTo(710);

    Run unknown = Run.of(home, "profile", file.toString(), "--set", "kineto.clip=true");
    assertThat(unknown.exit()).isEqualTo(2);
    assertThat(unknown.err())
        .isEqualTo(
            "error: --set kineto: option 'clip' is not known. Options: clip-overlaps, rank.\n");
    assertThat(Run.of(home, "profile", file.toString(), "--set", "nsys.x=1").err())
        .isEqualTo("error: --set: 'nsys' reads none of these files. They are read by kineto.\n");
    assertThat(Run.of(home, "profile", file.toString(), "--set", "x=1").err())
        .contains("'x=1' sets no option of an importer");
  }

  @Test
  void aWorkloadFileSetsOptionsBesideTheFile() throws IOException {
    profile("job-profile.json", 0, 700, 100);
    Path job = home.resolve("options.yaml");
    String text =
        """
        model: {family: gpt, layers: 1, hidden: 64, heads: 2, vocab: 64}
        training: {global_batch: 1, seq: 8}
        profile: [{file: job-profile.json, %s}]
        """;

    Files.writeString(job, text.formatted("rank: 5"));
    JsonNode json = json(Run.of(home, "inspect", job.toString(), "--json"));
    assertThat(json.at("/calibration/profiles/0/rank").asInt()).isEqualTo(5);

    Files.writeString(job, text.formatted("ranks: 5"));
    Run refused = Run.of(home, "inspect", job.toString());
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err())
        .contains("options.yaml, line 3, profile[0]")
        .contains("option 'ranks' is not known. Options: clip-overlaps, rank.");

    Files.writeString(job, text.formatted("rank: many"));
    assertThat(Run.of(home, "inspect", job.toString()).err()).contains("option 'rank' is 'many'");
  }

  @Test
  void eightRealRanksHaveTheKnownMinima() throws IOException {
    Path folder = shared().resolve("cuda_v100_dlrm_8rank");
    List<String> args = new ArrayList<>(List.of("profile", "--json"));
    for (int rank = 0; rank < 8; rank++) {
      args.add(folder.resolve("rank" + rank + ".pt.trace.json.gz").toString());
    }
    JsonNode facts = new ObjectMapper().readTree(shared().resolve("facts_multirank.json").toFile());
    long reduce = 0;
    long exchange = 0;
    for (JsonNode each : facts.get("collectives")) {
      boolean pairs = each.get("kernel").textValue().contains("SendRecv");
      exchange += pairs ? each.get("min_us").longValue() : 0;
      reduce += pairs ? 0 : each.get("min_us").longValue();
    }

    JsonNode json = json(Run.of(home, args.toArray(String[]::new)));

    assertThat(reduce + exchange).isEqualTo(facts.get("sum_min_us").longValue());
    assertThat(json.at("/collectives_across_ranks").toString())
        .isEqualTo(
            "[{\"kind\":\"all_reduce\",\"instances\":3,\"min_over_ranks_us\":"
                + reduce
                + "},{\"kind\":\"all_to_all\",\"instances\":5,\"min_over_ranks_us\":"
                + exchange
                + "}]");
    for (int rank = 0; rank < 8; rank++) {
      long total = 0;
      for (JsonNode each : json.at("/files/" + rank + "/collectives")) {
        total += each.get("total_us").longValue();
      }
      assertThat(total).isEqualTo(facts.at("/sum_by_rank_us/" + rank).longValue());
    }
  }

  private static Path shared() {
    Path found = null;
    for (Path at = Path.of("").toAbsolutePath(); at != null && found == null; at = at.getParent()) {
      Path candidate = at.resolve("shared").resolve("data").resolve("kineto");
      found = Files.isDirectory(candidate) ? candidate : null;
    }
    Path named = Path.of(System.getProperty("stage.shared", "/nowhere")).resolve("data/kineto");
    found = found == null && Files.isDirectory(named) ? named : found;
    assumeTrue(found != null, "no real profiles beside this checkout");
    return found;
  }
}
