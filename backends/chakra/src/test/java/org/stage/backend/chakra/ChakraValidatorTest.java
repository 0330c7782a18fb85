package org.stage.backend.chakra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.stage.backend.chakra.TraceFiles.allReduce;
import static org.stage.backend.chakra.TraceFiles.collective;
import static org.stage.backend.chakra.TraceFiles.compute;
import static org.stage.backend.chakra.TraceFiles.node;
import static org.stage.backend.chakra.TraceFiles.recv;
import static org.stage.backend.chakra.TraceFiles.send;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.plugin.Progress;
import org.stage.api.plugin.TraceValidator.Validation;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.BoolList;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.format.proto.NodeType;
import org.stage.testkit.TestValidation;

final class ChakraValidatorTest {
  @TempDir Path directory;
  private TraceFiles files;

  @BeforeEach
  void begin() {
    files = new TraceFiles(directory);
  }

  @Test
  void aSetWithoutFaultsHasNone() throws IOException {
    files
        .rank(0, compute(1), allReduce(2, "1", 1), send(3, 1, 7, 100, 2), recv(4, 1, 7, 50))
        .rank(1, compute(1), allReduce(2, "01", 1), send(3, 0, 7, 50, 2), recv(4, 0, 7, 100, 1))
        .file("w.json", "{\"1\": [0, 1]}");
    // "01" is another name of no group: ids are compared as written
    assertOnlyError("w.1.et, node 2 n2", "names the unknown group '01'");
    files.rank(1, compute(1), allReduce(2, "1", 1), send(3, 0, 7, 50, 2), recv(4, 0, 7, 100, 1));
    assertThat(validate().diagnostics()).isEmpty();
    assertThat(validate().summary()).isEqualTo("2 ranks, 8 nodes");
  }

  @Test
  void progressCountsRanks() throws IOException {
    files.ranks(3, compute(1));
    List<String> seen = new ArrayList<>();
    new ChakraValidator()
        .validate(directory, (done, total, unit) -> seen.add(done + "/" + total + " " + unit));
    assertThat(seen).containsExactly("1/3 ranks", "2/3 ranks", "3/3 ranks");
  }

  @Test
  void onlyFoldersWithTracesAreAccepted() throws IOException {
    ChakraValidator validator = new ChakraValidator();
    assertThat(validator.accepts(directory)).isFalse();
    assertOnlyError(directory.toString(), "there are no files named like");
    Files.createDirectories(directory.resolve("out/chakra"));
    new TraceFiles(directory.resolve("out/chakra")).rank(0, compute(1));
    assertThat(validator.accepts(directory)).isTrue();
    assertThat(validate().summary()).isEqualTo("1 rank, 1 node");
  }

  @Test
  void aCutFileIsAFaultWithItsPlace() throws IOException {
    files.rank(0, compute(1), compute(2));
    Path file = directory.resolve("w.0.et");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    assertOnlyError("w.0.et, byte 65", "(cut short?)");
  }

  @Test
  void aFileWithoutNodesIsAFault() throws IOException {
    files.rank(0);
    assertOnlyError("w.0.et", "has no node");
  }

  @Test
  void aNodeInPlaceOfTheMetadataIsAFault() throws IOException {
    files.rank(0, compute(2));
    Path file = directory.resolve("w.0.et");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOfRange(bytes, 8, bytes.length));
    assertThat(errors()).isNotEmpty();
    assertThat(errors().get(0).source()).endsWith("w.0.et, byte 0");
  }

  @Test
  void compressedFilesAreAFaultUnlessTheyAreMeantSo() throws IOException {
    files.rank(0, compute(1));
    Path file = directory.resolve("w.0.et");
    byte[] bytes = Files.readAllBytes(file);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(bytes);
    }
    assertOnlyError("w.0.et", "the file is compressed");
    Exports.export(Workloads.pipeline(List.of()), directory, Map.of("gzip", "true"));
    assertThat(errors()).isEmpty();
    assertThat(validate().diagnostics())
        .hasSize(8)
        .allMatch(warning -> warning.message().contains("the file is compressed"));
  }

  @Test
  void anIdThatComesTwiceIsAFault() throws IOException {
    files.rank(0, compute(1), compute(2), compute(1));
    assertOnlyError("w.0.et, node 1 n1", "has the id of another node");
  }

  @Test
  void aDependencyOnNothingIsAFault() throws IOException {
    files.rank(0, compute(1), compute(2, 1).addCtrlDeps(99));
    assertOnlyError("w.0.et, node 2 n2", "depends on the missing node 99");
  }

  @Test
  void aCycleIsAFaultAtOneOfItsNodes() throws IOException {
    files.rank(0, compute(1), compute(2, 1, 4), compute(3, 2), compute(4, 3), compute(5, 4));
    Diagnostic fault = onlyError();
    assertThat(fault.source()).matches(".*w\\.0\\.et, node [234] n[234]");
    assertThat(fault.message()).contains("depends on itself through others; 4 nodes");
  }

  @Test
  void idsMayBeLargeAndInAnyOrder() throws IOException {
    files.rank(0, compute(-1, 5), compute(5, 0), compute(0));
    assertThat(validate().diagnostics()).isEmpty();
    files.rank(0, compute(1, 7), compute(7));
    assertThat(errors()).isEmpty();
    assertThat(validate().diagnostics())
        .singleElement()
        .matches(warning -> warning.message().contains("depend on a node with a higher id"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8, 77})
  void aNodeOfATypeThatDoesNotRunIsAFault(int type) throws IOException {
    files.rank(0, compute(1), compute(2).setTypeValue(type));
    assertThat(onlyError().source()).endsWith("w.0.et, node 2 n2");
  }

  @Test
  void computeNeedsItsCostOrADuration() throws IOException {
    files.rank(0, node(1, NodeType.COMP_NODE));
    assertThat(errors())
        .extracting(Diagnostic::message)
        .containsExactly("has no num_ops", "has no tensor_size");
    files.rank(0, node(1, NodeType.COMP_NODE).setDurationMicros(3));
    assertThat(validate().diagnostics()).isEmpty();
    files.rank(0, with(node(1, NodeType.COMP_NODE), Attributes.bool("is_cpu_op", true)));
    assertThat(errors()).isEmpty();
  }

  @Test
  void costsOfZeroAreFaults() throws IOException {
    files.rank(0, with(compute(1), Attributes.int64("num_ops", 0)));
    assertOnlyError("w.0.et, node 1 n1", "has the num_ops 0");
    files.rank(0, with(compute(1), Attributes.uint64("tensor_size", 0)));
    assertOnlyError("w.0.et, node 1 n1", "has the tensor_size 0");
    files.rank(0, with(compute(1), Attributes.int64("num_ops", -4)));
    assertOnlyError("w.0.et, node 1 n1", "has the num_ops -4");
  }

  @Test
  void attributesOfAKindThatIsNoIntegerAreFaults() throws IOException {
    files.rank(0, with(compute(1), Attributes.string("num_ops", "5")));
    assertOnlyError("w.0.et, node 1 n1", "has a num_ops of kind string");
    AttributeProto number =
        AttributeProto.newBuilder().setName("tensor_size").setDoubleVal(5).build();
    files.rank(0, with(compute(1), number));
    assertOnlyError("w.0.et, node 1 n1", "has a tensor_size of kind double");
    files.ranks(2, with(allReduce(1, ""), Attributes.int32("pg_name", 1)));
    assertThat(errors()).hasSize(2).first().matches(says("has a pg_name of kind int32"));
  }

  @Test
  void attributesOfAnUnusualIntegerKindAreToldOnceForOlderFeeders() throws IOException {
    files.ranks(2, with(compute(1), Attributes.int32("num_ops", 5)));
    assertThat(errors()).isEmpty();
    assertThat(validate().diagnostics())
        .singleElement()
        .matches(says("num_ops is int32 instead of int64 in 2 nodes"));
  }

  @Test
  void memoryNodesNeedASize() throws IOException {
    files.rank(0, node(1, NodeType.MEM_LOAD_NODE));
    assertOnlyError("w.0.et, node 1 n1", "has no tensor_size");
  }

  @Test
  void communicationOnTheCpuIsAFault() throws IOException {
    files.ranks(2, with(allReduce(1, ""), Attributes.bool("is_cpu_op", true)));
    assertThat(errors()).hasSize(2).first().matches(says("is communication on the CPU"));
  }

  @Test
  void collectivesNeedAKindThatIsSimulatedAndASize() throws IOException {
    files.ranks(2, collective(1, 9, 1024, ""));
    assertThat(errors()).hasSize(2).first().matches(says("collective of kind BARRIER"));
    files.ranks(2, collective(1, 99, 1024, ""));
    assertThat(errors()).first().matches(says("collective of kind 99"));
    files.ranks(2, collective(1, 0, 0, ""));
    assertThat(errors()).first().matches(says("has the comm_size 0"));
    files.ranks(2, without(allReduce(1, ""), "comm_type"));
    assertThat(errors()).first().matches(says("has no comm_type"));
    files.ranks(2, without(allReduce(1, ""), "comm_size"));
    assertThat(errors()).first().matches(says("has no comm_size"));
  }

  @Test
  void anAllGatherHasAsManyBytesAsTheSystemSplitsItInto() throws IOException {
    files.ranks(2, collective(1, 2, 15, "")).file("system.json", system(16, 0));
    assertThat(errors()).first().matches(says("is an all-gather of 15 bytes, which never ends"));
    assertThat(errors().get(0).toString()).contains("preferred-dataset-splits of system.json, 16");
    files.ranks(2, collective(1, 2, 8, "")).file("system.json", system(8, 0));
    assertThat(validate().diagnostics()).isEmpty();
    Files.delete(directory.resolve("system.json"));
    assertThat(validate().diagnostics()).isEmpty();
  }

  @Test
  void underARooflineEachKernelSaysItsOperationsWhateverItLasts() throws IOException {
    Node.Builder timed = without(compute(1), "num_ops").setDurationMicros(5);
    files.ranks(2, timed).file("system.json", system(1, 0));
    assertThat(validate().diagnostics()).isEmpty();
    files.file("system.json", system(1, 1));
    assertThat(errors()).first().matches(says("has no num_ops"));
    files.file("system.json", system(1, 1).replace(": 1,", ": false,"));
    assertThat(errors()).first().matches(says("has no num_ops"));
  }

  /** 1,000 operations at 1 TFLOP/s are 1 ns, at 2 TFLOP/s half of one. */
  @Test
  void theOnlyRootMustTakeANanosecond() throws IOException {
    files.ranks(2, compute(1), allReduce(2, "", 1)).file("system.json", system(1, 1));
    assertThat(validate().diagnostics()).isEmpty();
    String fast = system(1, 1).replace("\"peak-perf\": 1", "\"peak-perf\": 2");
    files.file("system.json", fast);
    assertThat(errors()).hasSize(2).first().matches(says("takes less than 1 ns by the roofline"));
    files.ranks(2, compute(1), allReduce(2, ""));
    assertThat(errors()).isEmpty();
  }

  @Test
  void computeOnTheCpuIsNamed() throws IOException {
    files.ranks(2, with(compute(1), Attributes.bool("is_cpu_op", true)));
    assertThat(validate().diagnostics())
        .hasSize(2)
        .allMatch(each -> each.toString().contains("compute on the CPU (is_cpu_op), in nodes: 1"));
  }

  @Test
  void theAdviceOnAnUnknownGroupCanBeFollowed() throws IOException {
    files.ranks(2, allReduce(1, "7")).file("w.json", "{\"1\": [0, 1]}");
    assertThat(errors().get(0).toString()).contains("Add it to the file of groups");
    files.file("w.json", "{\"7\": [0, 1]}");
    assertThat(errors()).isEmpty();
    files.ranks(2, allReduce(1, "tp")).file("w.json", "{\"1\": [0, 1]}");
    assertThat(errors().get(0).toString())
        .contains("Ids of groups are whole numbers from 1 on")
        .doesNotContain("Add it");
  }

  @Test
  void tracesForGenieAreGenies() throws IOException {
    files.ranks(2, compute(1));
    assertThat(new ChakraValidator().accepts(directory)).isTrue();
    files.file("logical_topology.json", "{\"logical-dims\": [\"2\"]}");
    assertThat(new ChakraValidator().accepts(directory)).isFalse();
  }

  private static String system(int splits, int roofline) {
    return "{\"preferred-dataset-splits\": "
        + splits
        + ", \"roofline-enabled\": "
        + roofline
        + ", \"peak-perf\": 1, \"local-mem-bw\": 1600}";
  }

  @Test
  void groupsMustBeThereAndHoldTheRankAndAnother() throws IOException {
    files.ranks(2, allReduce(1, "7")).file("w.json", "{\"1\": [0, 1]}");
    assertThat(errors()).first().matches(says("names the unknown group '7'"));
    files.ranks(2, allReduce(1, "1")).file("w.json", "{\"1\": [0, 2]}");
    assertThat(errors()).first().matches(says("group 1, which does not hold rank 1"));
    files.ranks(1, allReduce(1, "1")).file("w.json", "{\"1\": [0]}");
    Files.delete(directory.resolve("w.1.et"));
    assertOnlyError("w.0.et, node 1 n1", "group 1 of one member");
  }

  @Test
  void theFileOfGroupsIsChecked() throws IOException {
    files.ranks(2, compute(1)).file("comm_group.json", "{\"0\": [0, 1]}");
    assertOnlyError("comm_group.json", "'0' is the id of a group");
    files.file("comm_group.json", "{\"tp\": [0, 1]}");
    assertOnlyError("comm_group.json", "'tp' is the id of a group");
    files.file("comm_group.json", "{\"1\": [0, 1");
    assertOnlyError("comm_group.json, byte 11", "not JSON");
    files.file("comm_group.json", "{\"1\": [0, 1], \"2\": [1, 0]}");
    assertThat(errors()).isEmpty();
    assertThat(validate().diagnostics())
        .singleElement()
        .matches(says("groups 1 and 2 have the same members"));
  }

  @Test
  void membersMustIssueTheSameCollectives() throws IOException {
    files.rank(0, allReduce(1, "")).rank(1, collective(1, 0, 2048, ""));
    assertOnlyError(
        "w.1.et, node 1 n1",
        "is ALL_REDUCE of 2048 bytes as number 1 on all ranks, where rank 0's node 1 n1 is"
            + " ALL_REDUCE of 1024 bytes");
    files.rank(1, collective(1, 7, 1024, ""));
    assertThat(onlyError()).matches(says("is REDUCE_SCATTER of 1024 bytes"));
    files.rank(1, allReduce(1, ""), allReduce(2, "", 1));
    assertOnlyError("w.1.et", "issues 2 collectives on all ranks, but rank 0 issues 1");
    files.rank(1, compute(1));
    assertOnlyError("w.0.et, node 1 n1", "never use it, such as rank 1");
  }

  @Test
  void messagesMustMatch() throws IOException {
    files.rank(0, send(1, 1, 5, 1000)).rank(1, recv(1, 0, 5, 2000));
    assertThat(errors())
        .hasSize(2)
        .first()
        .matches(says("1000 bytes from rank 0 to rank 1 with tag 5, but no receive matches"))
        .matches(says("(there is one of 2000 bytes)"));
    files.rank(1, recv(1, 0, 6, 1000));
    assertThat(errors()).hasSize(2).last().matches(says("waits for 1000 bytes"));
    files.rank(1, compute(1));
    assertOnlyError("w.0.et, node 1 n1", "sends 1000 bytes from rank 0 to rank 1 with tag 5");
  }

  @Test
  void messagesNeedTheirEndsAndATag() throws IOException {
    files.rank(1, compute(1));
    files.rank(0, send(1, 0, 5, 100));
    assertOnlyError("w.0.et, node 1 n1", "has its own rank 0 as its peer");
    files.rank(0, without(send(1, 1, 5, 100), "comm_dst"));
    assertOnlyError("w.0.et, node 1 n1", "has no comm_dst");
    files.rank(0, without(send(1, 1, 5, 100), "comm_tag"));
    assertOnlyError("w.0.et, node 1 n1", "has no comm_tag");
    files.rank(0, send(1, 1, -5, 100));
    assertOnlyError("w.0.et, node 1 n1", "has the tag -5");
    files.rank(0, with(send(1, 1, 5, 100), Attributes.int32("comm_src", 3)));
    assertOnlyError("w.0.et, node 1 n1", "its own end is rank 3");
    files.rank(0, send(1, -1, 5, 100));
    assertOnlyError("w.0.et, node 1 n1", "has the peer -1");
    files.rank(0, send(1, 1, 5, 0));
    assertOnlyError("w.0.et, node 1 n1", "has the comm_size 0");
  }

  @Test
  void aTagThatIsUsedAgainIsAWarning() throws IOException {
    files.rank(0, send(1, 1, 5, 100), send(2, 1, 5, 100, 1));
    files.rank(1, recv(1, 0, 5, 100), recv(2, 0, 5, 100));
    assertThat(errors()).isEmpty();
    assertThat(validate().diagnostics())
        .singleElement()
        .matches(says("uses the tag 5 to rank 1 again"));
  }

  @Test
  void ranksThatAreNotThereAreToldOnce() throws IOException {
    files.rank(0, send(1, 3, 0, 10)).rank(2, allReduce(1, "1"));
    files.file("w.json", "{\"1\": [2, 5]}");
    Diagnostic fault = onlyError();
    assertThat(fault.message()).isEqualTo("3 ranks have no file, such as rank 1");
  }

  @Test
  void aNetworkOfAnotherSizeIsAWarning() throws IOException {
    files.ranks(2, compute(1)).file("network.yml", "npus_count: [ 4, 2 ]\n");
    assertThat(validate().diagnostics())
        .singleElement()
        .matches(says("the network has 8 devices, but there are 2 ranks"));
  }

  @Test
  void networkDimensionsNameTheMembers() throws IOException {
    BoolList firstOnly = BoolList.newBuilder().addValues(true).addValues(false).build();
    Node.Builder inFirst =
        with(
            without(allReduce(1, ""), "pg_name"),
            AttributeProto.newBuilder().setName("involved_dim").setBoolList(firstOnly).build());
    files.ranks(4, inFirst);
    assertThat(errors()).hasSize(4).first().matches(says("dimensions that are not known"));
    files.file("network.yml", "topology: [ Ring, Ring ]\nnpus_count: [ 2, 2 ]\n");
    assertThat(validate().diagnostics()).isEmpty();
    files.rank(3, compute(1));
    assertOnlyError("w.2.et, node 1 n1", "never use it, such as rank 3");
  }

  @Test
  void anOrderThatOnlyTimingDecidesIsAWarning() throws IOException {
    files.ranks(2, allReduce(1, "1"), allReduce(2, "1")).file("w.json", "{\"1\": [0, 1]}");
    assertThat(errors()).isEmpty();
    assertThat(validate().diagnostics())
        .singleElement()
        .matches(says("the order of 2 pairs of communications is left to timing"));
    files.ranks(2, allReduce(1, "1"), compute(2, 1), compute(3, 2), allReduce(4, "1", 3));
    assertThat(validate().diagnostics()).isEmpty();
  }

  @Test
  void ordersThatContradictOneAnotherAreAFault() throws IOException {
    files
        .rank(0, allReduce(1, "1"), allReduce(2, "", 1))
        .rank(1, allReduce(1, ""), allReduce(2, "1", 1))
        .file("w.json", "{\"1\": [0, 1]}");
    Diagnostic fault = onlyError();
    assertThat(fault)
        .matches(says("the orders of ranks contradict one another"))
        .matches(says("rank 0's node 1 n1 on group 1 waits for rank 1"))
        .matches(says("rank 1's node 1 n1 on all ranks waits for rank 0"));
  }

  @Test
  void sendsThatBlockOneAnotherAreADeadlock() throws IOException {
    // each posts its receive only after its own send is done
    files
        .rank(0, send(1, 1, 0, 10), recv(2, 1, 0, 10, 1))
        .rank(1, send(1, 0, 0, 10), recv(2, 0, 0, 10, 1));
    assertThat(onlyError())
        .matches(says("deadlock, 4 nodes never run"))
        .matches(says("rank 0's node 1 n1 waits for rank 1"));
    files
        .rank(0, send(1, 1, 0, 10), recv(2, 1, 0, 10))
        .rank(1, send(1, 0, 0, 10), recv(2, 0, 0, 10));
    assertThat(validate().diagnostics()).isEmpty();
  }

  @Test
  void aReceiveThatWaitsForACollectiveBehindItsSendIsADeadlock() throws IOException {
    files
        .rank(0, send(1, 1, 0, 10), allReduce(2, "", 1))
        .rank(1, allReduce(1, ""), recv(2, 0, 0, 10, 1));
    assertThat(onlyError()).matches(says("deadlock, 4 nodes never run"));
  }

  private Validation validate() throws IOException {
    return new ChakraValidator().validate(directory, Progress.NONE);
  }

  private List<Diagnostic> errors() throws IOException {
    return TestValidation.errors(new ChakraValidator(), directory);
  }

  private Diagnostic onlyError() throws IOException {
    assertThat(errors()).hasSize(1);
    return errors().get(0);
  }

  private void assertOnlyError(String source, String message) throws IOException {
    Diagnostic error = onlyError();
    assertThat(error.source()).endsWith(source);
    assertThat(error.message()).contains(message);
    assertThat(error.remedy()).isNotEmpty();
  }

  private static Predicate<Diagnostic> says(String text) {
    return diagnostic -> diagnostic.message().contains(text);
  }

  private static Node.Builder without(Node.Builder node, String name) {
    List<AttributeProto> rest =
        node.getAttrList().stream().filter(each -> !each.getName().equals(name)).toList();
    return node.clearAttr().addAllAttr(rest);
  }

  private static Node.Builder with(Node.Builder node, AttributeProto attribute) {
    return without(node, attribute.getName()).addAttr(attribute);
  }
}
