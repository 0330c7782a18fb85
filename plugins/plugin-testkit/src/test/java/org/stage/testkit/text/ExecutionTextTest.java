package org.stage.testkit.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.stage.api.text.ExecutionText;
import org.stage.api.workload.Attribute;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Details;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Group;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.Ids;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.MeshAxis;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Phase;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.TensorValue;
import org.stage.api.workload.Workload;

class ExecutionTextTest {
  private static final String GRAPH =
      """
      tensor x 16384xbyte
      tensor up.weight.grad#1 2048xbyte
      tensor "my tensor" 0xbyte
      0 compute mb0.up forward einsum shape=1x64x16x128 flops=262144 other=7 read=16384 written=2048 reads=x writes=up.weight.grad#1
      1 all-gather mb0.gather forward 1024xbf16 over tp:4+dp:(2)8 deps=0 reads=up.weight.grad#1,x writes="my tensor"
      2 recv mb0.in backward 8xfp32 from pp:-1 ctrl=0,1
      3 send mb0.out recompute 4096xfp16 to pp:+1 tag=7 deps=1,2 ctrl=0
      4 all-reduce "tied embedding" optimizer 9xint64 over pp{0,3}
      5 compute adam optimizer adam
      """;

  private static final String HEAD =
      """
      workload job
      model "Llama 3"
      mesh tp=2 pp=2
      precision weights=fp8 activations=bf16 gradients=fp32
      hardware h100 memory=80.0 bandwidth=3350.5 bf16=989.0 fp8=1979.0
      network fully-connected size=2 gbps=450.0 ns=500.0
      network ring size=2 gbps=50.0 ns=1000.5
      """;

  private static NodeHeader header(int id, String name, Phase phase, Ids data, Ids control) {
    return new NodeHeader(id, name, phase, data, control, Ids.NONE, Ids.NONE);
  }

  private static ExecutionGraph graph() {
    NodeHeader up =
        new NodeHeader(0, "mb0.up", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.of(0), Ids.of(1));
    NodeHeader gather =
        new NodeHeader(
            1, "mb0.gather", Phase.FORWARD, Ids.of(0), Ids.NONE, Ids.of(1, 0), Ids.of(2));
    Group along = new Group.Along(List.of(new SubAxis("tp", 1, 4), new SubAxis("dp", 2, 8)));
    return new ExecutionGraph(
        List.of(
            new Node.Compute(up, "einsum", new MatrixShape(1, 64, 16, 128), 262144, 7, 16384, 2048),
            new Node.Collective(
                gather, Node.Collective.Kind.ALL_GATHER, 1024, DataType.BF16, along),
            new Node.Recv(
                header(2, "mb0.in", Phase.BACKWARD, Ids.NONE, Ids.of(0, 1)),
                "pp",
                -1,
                8,
                DataType.FP32,
                0),
            new Node.Send(
                header(3, "mb0.out", Phase.RECOMPUTE, Ids.of(1, 2), Ids.of(0)),
                "pp",
                1,
                4096,
                DataType.FP16,
                7),
            new Node.Collective(
                header(4, "tied embedding", Phase.OPTIMIZER, Ids.NONE, Ids.NONE),
                Node.Collective.Kind.ALL_REDUCE,
                9,
                DataType.INT64,
                new Group.Members("pp", List.of(0, 3))),
            new Node.Compute(
                header(5, "adam", Phase.OPTIMIZER, Ids.NONE, Ids.NONE),
                "adam",
                MatrixShape.NONE,
                0,
                0,
                0,
                0)),
        List.of(
            new TensorValue("x", 16384),
            new TensorValue("up.weight.grad#1", 2048),
            new TensorValue("my tensor", 0)));
  }

  private static Workload workload() {
    return new Workload(
        "job",
        "Llama 3",
        new Mesh(List.of(new MeshAxis("tp", 2), new MeshAxis("pp", 2))),
        new Precision(DataType.FP8, DataType.BF16, DataType.FP32),
        Optional.of(new Hardware("h100", Map.of("fp8", 1979.0, "bf16", 989.0), 80, 3350.5)),
        List.of(
            new NetworkDimension(Topology.FULLY_CONNECTED, 2, 450, 500),
            new NetworkDimension(Topology.RING, 2, 50, 1000.5)),
        List.of(
            new RankClass(0, RankSet.parse("0-1"), ExecutionTextTest::graph),
            new RankClass(
                1, RankSet.parse("2-3"), () -> new ExecutionGraph(List.of(), List.of()))));
  }

  @Test
  void aGraphIsPrintedANodeALine() {
    assertThat(ExecutionText.print(graph())).isEqualTo(GRAPH);
  }

  @Test
  void theTextIsReadBack() {
    assertThat(ExecutionTextParser.parse(GRAPH)).isEqualTo(graph());
  }

  @Test
  void commentsAndBlankLinesAreSkipped() {
    assertThat(ExecutionTextParser.parse("# a graph\n\n  " + GRAPH + "  # the end"))
        .isEqualTo(graph());
    assertThat(ExecutionTextParser.parse("")).isEqualTo(new ExecutionGraph(List.of(), List.of()));
  }

  @Test
  void aWorkloadIsItsJobAndItsClasses() {
    String text = HEAD + "class stage=0 ranks=0-1\n" + GRAPH + "class stage=1 ranks=2-3\n";
    assertThat(ExecutionText.print(workload())).isEqualTo(text);
    Workload read = ExecutionTextParser.parseWorkload(text);
    assertThat(read.hardware()).isEqualTo(workload().hardware());
    assertThat(read.network()).isEqualTo(workload().network());
    assertThat(ExecutionText.print(read)).isEqualTo(text);
  }

  @Test
  void hardwareAndNetworkMayBeMissing() {
    String text =
        """
        workload job
        model m
        mesh
        precision weights=fp8 activations=bf16 gradients=fp32
        class stage=0 ranks=0
        """;
    Workload read = ExecutionTextParser.parseWorkload(text);
    assertThat(read.hardware()).isEmpty();
    assertThat(read.network()).isEmpty();
    assertThat(read.mesh().devices()).isEqualTo(1);
    assertThat(ExecutionText.print(read)).isEqualTo(text);
  }

  @Test
  void theLinesOfAWorkloadBuildOneGraphAtATime() {
    Workload broken =
        new Workload(
            "job",
            "m",
            new Mesh(List.of()),
            workload().precision(),
            Optional.empty(),
            List.of(),
            List.of(
                new RankClass(
                    0,
                    RankSet.parse("0"),
                    () -> {
                      throw new IllegalStateException("built");
                    })));
    assertThat(ExecutionText.lines(broken).limit(4)).hasSize(4);
    assertThatThrownBy(() -> ExecutionText.print(broken)).hasMessage("built");
  }

  @Test
  void aTensorThatTheGraphLacksIsPrintedByItsIdAndNotRead() {
    NodeHeader header =
        new NodeHeader(0, "n", Phase.FORWARD, Ids.NONE, Ids.NONE, Ids.of(5), Ids.NONE);
    Node node = new Node.Compute(header, "add", MatrixShape.NONE, 0, 0, 0, 0);
    String text = ExecutionText.print(new ExecutionGraph(List.of(node), List.of()));
    assertThat(text).isEqualTo("0 compute n forward add reads=?5\n");
    assertThatThrownBy(() -> ExecutionTextParser.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "tensor t|expected a data type at character 9, found the end",
        "tensor t 9 9|expected 'x' at character 12, found '9'",
        "tensor t 9xfp32 9|expected the end of the line at character 17, found '9'",
        "0 compute a forward add in=4xbf17|'bf17' is not a data type; nearest: bf16, fp8, fp16",
        "0 compute a forward add at=0:l:up|expected ':' at character 34, found the end",
        "0 compute a forward add at=0:l:up:fore|'fore' is not a role; nearest: forward,"
            + " update, offload",
        "0 send a forward 8xfp32 to job d{tp=tp*1/0+0}|a coordinate of 1/0 times that on tp",
        "tensor x 1xbyte|tensor x is there twice",
        "tensor \"t 1|expected '\"' at character 12, found the end",
        "tensor \"\\t\" 1|expected one of n r \" \\ at character 10, found 't'",
        "1 compute a forward add|expected node 0",
        "compute a forward add|expected a whole number at character 1, found 'c'",
        "99999999999 compute a forward add|expected a number of 32 bits at character 1, found '9'",
        "tensor t 99999999999999999999|expected a number of 64 bits at character 10, found '9'",
        "0 computer a forward add|'computer' is not a kind of node; nearest: compute,"
            + " scatter, marker",
        "0 compute a forwards add|'forwards' is not a phase; nearest: forward, backward, recompute",
        "0 compute a forward add written=1 read=1|expected the end of the line at character 35,"
            + " found 'r'",
        "0 compute a forward add shape=1x2x3|expected 'x' at character 36, found the end",
        "0 compute a forward add reads=z|no line before declares the tensor z; expected 'tensor z"
            + " <dims>x<type>'",
        "0 compute a forward add deps=|expected a whole number at character 30, found the end",
        "0 send a forward 8xfp64 to pp:+1|'fp64' is not a data type; nearest: fp8, fp16, fp32",
        "0 send a forward 8xfp32 from pp:+1|expected 'to ' at character 25, found 'f'",
        "0 recv a forward 8xfp32 to pp:+1|expected 'from ' at character 25, found 't'",
        "0 recv a forward 8xfp32 from pp|expected ':' at character 32, found the end",
        "0 all-reduce a forward 8xfp32 over tp|expected ':' at character 38, found the end",
        "0 all-reduce a forward 8xfp32 over tp:0|tp:(1)0 has a factor below 1",
        "0 all-reduce a forward 8xfp32 over tp{3,0}|[3, 0] on tp do not ascend",
        "0 all-reduce a forward 8xfp32 over tp{}|expected a whole number at character 39, found '}'",
        "0 all-reduce a forward 8xfp32 over tp:2+tp:4|SubAxis[axis=tp, pre=1, size=2] and"
            + " SubAxis[axis=tp, pre=1, size=4] overlap",
      })
  void aLineOfAnotherFormIsRefusedWithItsNumber(String line, String reason) {
    assertThatThrownBy(() -> ExecutionTextParser.parse("tensor x 1xbyte\n\n" + line + "\n"))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("line 3: '" + line + "': " + reason);
  }

  @Test
  void whatAForeignTraceSaysStandsAtTheEnd() {
    String text =
        """
        attribute schema:string_val(x)
        0 marker init forward METADATA_NODE id=18446744073709551615 attr=rf_id:int64_val(3)
        1 host-compute aten-mm forward "aten::mm" deps=0 start=5000 duration=2000
        2 memory-load w forward 64 ctrl=1
        3 barrier b forward 0xbyte over rank{0,2} deps=2 attr=pg_name:string_val("")
        4 memory-store w forward 64 attr=names:string_list() attr=names:string_list(a,"b c")
        """;

    ExecutionGraph graph = ExecutionTextParser.parse(text);

    assertThat(graph.attributes())
        .containsExactly(new Attribute("schema", "string_val", List.of("x")));
    assertThat(graph.nodes().get(1).details())
        .isEqualTo(new Details("", OptionalLong.of(5000), OptionalLong.of(2000), List.of()));
    assertThat(graph.nodes().get(4).details().attributes())
        .extracting(Attribute::values)
        .containsExactly(List.of(), List.of("a", "b c"));
    assertThat(ExecutionText.print(graph)).isEqualTo(text);
  }

  @Test
  void aGraphThatIsNotLegalIsRefusedAsItsVerifierSays() {
    assertThatThrownBy(() -> ExecutionTextParser.parse("0 compute a forward add deps=0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("node 0 (a) depends on node 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "model \"Llama 3\"|models m|line 2: 'models m': expected 'model ' at character 1, found 'm'",
        "mesh tp=2|mesh tp=0|line 3: 'mesh tp=0 pp=2': mesh axis tp=0 has no devices",
        "mesh tp=2|mesh pp=2|line 3: 'mesh pp=2 pp=2': the mesh has two axes pp",
        "weights=fp8 a|a|line 4: 'precision activations=bf16 gradients=fp32': expected 'weights='"
            + " at character 11, found 'a'",
        "memory=80.0|memory=much|line 5: 'hardware h100 memory=much bandwidth=3350.5 bf16=989.0"
            + " fp8=1979.0': 'much' is not a decimal number",
        "fp8=1979.0|bf16=1.0|line 5: 'hardware h100 memory=80.0 bandwidth=3350.5 bf16=989.0"
            + " bf16=1.0': bf16 is there twice",
        "network ring|network rings|line 7: 'network rings size=2 gbps=50.0 ns=1000.5': 'rings' is"
            + " not a topology; nearest: ring, switch, fully-connected",
      })
  void aHeaderOfAnotherFormIsRefusedWithItsNumber(String good, String bad, String message) {
    assertThat(HEAD).contains(good);
    assertThatThrownBy(() -> ExecutionTextParser.parseWorkload(HEAD.replace(good, bad)))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void aWorkloadThatEndsTooEarlyIsRefused() {
    assertThatThrownBy(() -> ExecutionTextParser.parseWorkload("workload job\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the text ends where a line 'model ...' is expected");
  }

  @Test
  void aWorkloadThatIsNotLegalIsRefusedAsItsVerifierSays() {
    assertThatThrownBy(() -> ExecutionTextParser.parseWorkload(HEAD + "class stage=0 ranks=0-1\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("workload job: rank 2 is in no class");
    assertThatThrownBy(() -> ExecutionTextParser.parseWorkload(HEAD + "class stage=0 ranks=1-0\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("line 8: 'class stage=0 ranks=1-0': '1-0' ends before it begins");
  }

  @Test
  void jobsSideBySideAndSlowRanksComeBack() {
    String text =
        """
        workload two
        model tiny
        mesh devices=6
        precision weights=bf16 activations=bf16 gradients=fp32
        job a ranks=0-1,4-5 tp=2 pp=2
        job "b c" ranks=2-3 dp=2
        class stage=0 ranks=0-1 job=a
        class stage=0 ranks=2 job="b c"
        class stage=0 ranks=3 job="b c" slowdown=1.2
        class stage=1 ranks=4-5 job=a
        """;

    Workload read = ExecutionTextParser.parseWorkload(text);

    assertThat(read.jobs()).extracting(JobMesh::name).containsExactly("a", "b c");
    assertThat(read.jobs().get(0).mesh()).hasToString("tp=2 pp=2");
    assertThat(read.classes().get(2).slowdown()).isEqualTo(1.2);
    assertThat(ExecutionText.print(read)).isEqualTo(text);
  }

  @Test
  void jobsThatAreNotWellFormedAreRefusedByTheLine() {
    String head =
        """
        workload two
        model tiny
        mesh devices=1
        precision weights=bf16 activations=bf16 gradients=fp32
        """;
    assertThatThrownBy(() -> ExecutionTextParser.parseWorkload(head + "job a ranks=0-1 tp=3\n"))
        .hasMessage("line 5: 'job a ranks=0-1 tp=3': job a has 3 devices, but 2 ranks");
    assertThatThrownBy(
            () -> ExecutionTextParser.parseWorkload(head + "class stage=0 ranks=0 job=a\n"))
        .hasMessage("line 5: 'class stage=0 ranks=0 job=a': there is no line for job a");
    assertThatThrownBy(
            () -> ExecutionTextParser.parseWorkload(head + "class stage=0 ranks=0 slowdown=0\n"))
        .hasMessageEndingWith("a device cannot be slower by 0.0");
    assertThatThrownBy(
            () -> ExecutionTextParser.parseWorkload(head + "job a ranks=0\njob a ranks=0\n"))
        .hasMessage("line 6: 'job a ranks=0': job a is there twice");
  }
}
