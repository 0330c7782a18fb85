package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.testkit.SharedData;
import org.stage.testkit.TestValidation;

/** Sets made by others, where they are at hand. */
final class SharedFixturesTest {
  /** What is wrong in each of the bad sets, by the name of its folder. */
  private static final Map<String, String> FAULTS =
      Map.ofEntries(
          Map.entry("coll_BARRIER", "is a collective of kind BARRIER"),
          Map.entry("coll_missing_on_rank3", "for members that never use it, such as rank 3"),
          Map.entry("coll_size0_ag", "has the comm_size 0"),
          Map.entry("comp_noops_mid", "has no num_ops"),
          Map.entry("comp_ops0", "has the num_ops 0"),
          Map.entry("file_nometa", "expected the metadata of a Chakra trace"),
          Map.entry("file_trunc", "cut short?"),
          Map.entry("g_cycle_partial", "depends on itself through others"),
          Map.entry("g_missing_dep", "depends on the missing node 99"),
          Map.entry("gz_one", "is compressed"),
          Map.entry("p2p_nosend", "but no send matches"),
          Map.entry("p2p_size_mismatch", "there is one of 2000 bytes"),
          Map.entry("pg_notmember", "names group 1, which does not hold rank 2"),
          Map.entry("pg_single", "group 1 of one member"),
          Map.entry("pg_unknown", "names the unknown group '7'"),
          Map.entry("ty_meta_root", "is a metadata node"),
          Map.entry("x_order_deadlock", "the orders of ranks contradict one another"));

  @TestFactory
  Stream<DynamicTest> aBadSetHasItsFault() throws IOException {
    return sets("fixtures_bad")
        .map(
            set -> {
              String name = String.valueOf(set.getFileName());
              return DynamicTest.dynamicTest(
                  name,
                  () ->
                      assertThat(errors(set))
                          .extracting(Diagnostic::message)
                          .anyMatch(message -> message.contains(FAULTS.getOrDefault(name, ""))));
            });
  }

  @TestFactory
  Stream<DynamicTest> aGoodSetHasNone() throws IOException {
    return sets("fixtures_good")
        .map(
            set ->
                DynamicTest.dynamicTest(
                    String.valueOf(set.getFileName()), () -> assertThat(errors(set)).isEmpty()));
  }

  private static List<Diagnostic> errors(Path set) throws IOException {
    return TestValidation.errors(new ChakraValidator(), set);
  }

  private static Stream<Path> sets(String kind) throws IOException {
    Path found = SharedData.get("data/astra-sim").resolve(kind);
    try (Stream<Path> sets = Files.list(found)) {
      return sets.filter(Files::isDirectory).sorted().toList().stream();
    }
  }
}
