package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.stage.api.diagnostic.InputException;
import org.stage.backend.chakra.format.GroupFile;
import org.stage.backend.chakra.format.NodeSource;
import org.stage.backend.chakra.format.TraceReader;
import org.stage.backend.chakra.format.TraceSet;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.testkit.Corpus;
import org.stage.testkit.SharedData;
import org.stage.testkit.TestExport;

/** What is read from Chakra and written to Chakra is equal node by node. */
class RoundTripTest {
  /** Sets whose files are damaged, or that say what no job can do. */
  private static final Set<String> REFUSED =
      Set.of("file_trunc", "file_nometa", "g_cycle_partial", "pg_notmember", "pg_unknown");

  /** A set with a dependency on nothing, which is lost, and said to be. */
  private static final String DANGLING = "g_missing_dep";

  @TempDir Path temp;

  @TestFactory
  Stream<DynamicTest> everySetOfOthersIsWrittenAsItWasRead() throws IOException {
    Set<Path> sets = new TreeSet<>();
    try (Stream<Path> files = Files.walk(SharedData.get("data/astra-sim"))) {
      files.filter(file -> file.toString().endsWith(".et")).forEach(f -> sets.add(f.getParent()));
    }
    assertThat(sets).hasSizeGreaterThan(30);
    return sets.stream()
        .map(set -> DynamicTest.dynamicTest(String.valueOf(set.getFileName()), () -> check(set)));
  }

  private void check(Path set) throws IOException {
    if (REFUSED.contains(String.valueOf(set.getFileName()))) {
      assertThatThrownBy(() -> Imports.read(set)).isInstanceOf(InputException.class);
    } else if (set.endsWith(DANGLING)) {
      assertThat(Imports.read(set).losses())
          .singleElement()
          .asString()
          .contains("dependencies on nodes that are not there. They were dropped.");
    } else {
      assertThat(Imports.read(set).losses()).isEmpty();
      Path written = Files.createTempDirectory(temp, "written");
      Imports.convert(set, written, Map.of());
      assertEqual(set, written);
    }
  }

  static void assertEqual(Path set, Path written) throws IOException {
    TraceSet before = TraceSet.find(set).get(0);
    SortedMap<Integer, Path> after = TraceSet.find(written).get(0).ranks();
    assertThat(after.keySet()).isEqualTo(before.ranks().keySet());
    for (Map.Entry<Integer, Path> rank : before.ranks().entrySet()) {
      assertThat(nodes(after.get(rank.getKey())))
          .describedAs("rank %d", rank.getKey())
          .isEqualTo(nodes(rank.getValue()));
    }
    if (before.groupFile().isPresent()) {
      Map<String, int[]> groups = GroupFile.read(before.groupFile().get());
      assertThat(GroupFile.read(TraceSet.find(written).get(0).groupFile().orElseThrow()))
          .usingRecursiveComparison()
          .isEqualTo(groups);
    }
  }

  /**
   * Metadata (as id null) and nodes by id, each with its fields and the kinds of its attributes.
   */
  private static Map<Long, Object> nodes(Path file) throws IOException {
    Map<Long, Object> nodes = new HashMap<>();
    try (NodeSource source = new TraceReader(file)) {
      nodes.put(null, source.metadata());
      for (Node node = source.next(); node != null; node = source.next()) {
        assertThat(nodes.put(node.getId(), node)).isNull();
      }
    }
    return nodes;
  }

  @Test
  void ourOwnExportIsReadAndWrittenAgainAsItWas() throws IOException {
    for (Map<String, String> options :
        List.of(
            Map.<String, String>of(),
            Map.of("order-edges", "ctrl", "tensors", "true"),
            Map.of("order", "none"))) {
      Path first = Files.createTempDirectory(temp, "first");
      Path second = Files.createTempDirectory(temp, "second");
      Exports.export(Workloads.pipeline(List.of()), first, options);
      Imports.convert(first, second, Map.of());
      assertEqual(first, second);
      Path third = Files.createTempDirectory(temp, "third");
      Imports.convert(second, third, Map.of());
      assertEqual(first, third);
    }
  }

  static List<String> workloads() {
    return Corpus.names();
  }

  /** Among them is each kind of node, and of group, that a workload can have. */
  @ParameterizedTest
  @MethodSource("workloads")
  void eachKindOfNodeIsReadAndWrittenAgainAsItWas(String name) throws IOException {
    Path first = Files.createDirectory(temp.resolve("first"));
    Path second = temp.resolve("second");
    TestExport.of(new ChakraExporter()).run(Corpus.get(name), first);
    assertThat(Imports.convert(first, second, Map.of()).losses()).isEmpty();
    assertEqual(first, second);
  }
}
