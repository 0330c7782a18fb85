package org.stage.api.text;

import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.stage.api.workload.Collectives;
import org.stage.api.workload.ExecutionGraph;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.JobMesh;
import org.stage.api.workload.Mesh;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.TraceOrigin;
import org.stage.api.workload.Workload;

/**
 * The textual form of an {@link ExecutionGraph} and of a whole {@link Workload}, one thing a line.
 * A line that begins with {@code #} is a comment.
 *
 * <p>A graph is its tensors, in the order of their ids and with their dimensions, then its nodes:
 *
 * <pre>
 * tensor &lt;name&gt; &lt;dims&gt;x&lt;type&gt;
 * &lt;id&gt; compute &lt;name&gt; &lt;phase&gt; &lt;operator&gt; shape=&lt;batch&gt;x&lt;m&gt;x&lt;n&gt;x&lt;k&gt; flops= other= read= written= in= out=
 * &lt;id&gt; &lt;collective&gt; &lt;name&gt; &lt;phase&gt; &lt;elements&gt;x&lt;type&gt; over &lt;group&gt;
 * &lt;id&gt; send &lt;name&gt; &lt;phase&gt; &lt;elements&gt;x&lt;type&gt; to &lt;axis&gt;:&lt;offset&gt; tag=
 * &lt;id&gt; recv &lt;name&gt; &lt;phase&gt; &lt;elements&gt;x&lt;type&gt; from &lt;axis&gt;:&lt;offset&gt; tag=
 * &lt;id&gt; host-compute &lt;name&gt; &lt;phase&gt; &lt;operator&gt;
 * &lt;id&gt; memory-load &lt;name&gt; &lt;phase&gt; &lt;bytes&gt;
 * &lt;id&gt; memory-store &lt;name&gt; &lt;phase&gt; &lt;bytes&gt;
 * &lt;id&gt; marker &lt;name&gt; &lt;phase&gt; &lt;kind&gt;
 * </pre>
 *
 * <p>each node followed by {@code deps=} (data), {@code ctrl=} (control), both as ids, {@code
 * reads=} and {@code writes=}, both as names of tensors. {@code flops} are those of matrix and
 * attention products, {@code other} all others; {@code read} and {@code written} are bytes; {@code
 * in} and {@code out} are its operands, such as {@code 4x128xbf16,128xbf16}. What stands before a
 * {@code =} is left out where it is 0 or empty, else in this order. Behind a group or a peer stands
 * {@code lane=} where a communicator is not the one of all its messages; a peer in another job is
 * <code>job decode{tp=tp*1/2+0}</code>, its coordinates as functions of one's own.
 *
 * <p>Where a node stands in the model follows: {@code at=3:layers.17:mlp.up:forward}, its
 * micro-batch ({@code -} of the step as a whole), unit, component and role.
 *
 * <p>What a foreign trace says besides stands at the end of a node: {@code id=}, {@code start=} and
 * {@code duration=} in nanoseconds, and {@code attr=pg_name:string_val(7)} for each attribute. What
 * it says of the whole rank stands behind the tensors: {@code attribute schema:string_val(x)}.
 *
 * <p>A group along axes is {@code tp:4}, {@code tp:(2)4} for a part of an axis (the factor of size
 * 4 behind one of 2), {@code dp:8+cp:2} for several; a group of coordinates is <code>pp{0,7}</code>
 * . Names with other characters than letters, digits and {@code _ . - # /} stand in double quotes.
 *
 * <p>A workload is its job, then each class of ranks with its graph; hardware and network are left
 * out where they are not known, the origin and its groups where the job was synthesized. Hardware
 * gives memory in 10^9 bytes and bytes a second, and 10^12 FLOP/s for each data type; network
 * dimensions stand innermost first; {@code reached=} stands where transfers do not reach all of the
 * bandwidth, a line {@code collectives serial} where they are not pipelined. Where there are
 * several jobs, each has a line with its ranks and mesh, and each class names its own; {@code
 * slowdown=} stands where a class has one:
 *
 * <pre>
 * workload llama
 * model llama-3.1-8b
 * mesh tp=4 pp=2
 * precision weights=bf16 activations=bf16 gradients=fp32
 * hardware h100 memory=80.0 bandwidth=3350.0 bf16=989.0
 * network switch size=8 gbps=450.0 ns=500.0 reached=0.8
 * collectives serial
 * origin chakra
 * group 7 {0,2}
 * job a ranks=0-7 tp=4 pp=2
 * class stage=0 ranks=0-3 job=a slowdown=1.2
 * </pre>
 */
public final class ExecutionText {
  private ExecutionText() {}

  /** Prints a graph; the test kit reads an equal one. */
  public static String print(ExecutionGraph graph) {
    return joined(lines(graph));
  }

  /** The lines of {@link #print(ExecutionGraph)}, made as they are asked for. */
  public static Stream<String> lines(ExecutionGraph graph) {
    NodePrinter printer = new NodePrinter(graph.tensors());
    Stream<String> tensors =
        graph.tensors().stream()
            .map(tensor -> "tensor " + Words.print(tensor.name()) + " " + tensor.type());
    Stream<String> attributes =
        graph.attributes().stream().map(each -> "attribute " + NodePrinter.print(each));
    Stream<String> nodes = graph.nodes().stream().map(printer::print);
    return Stream.of(tensors, attributes, nodes).flatMap(lines -> lines);
  }

  /** Prints a workload and the graph of each of its classes; the test kit reads an equal one. */
  public static String print(Workload workload) {
    return joined(lines(workload));
  }

  /** The lines of {@link #print(Workload)}, made as they are asked for, one graph at a time. */
  public static Stream<String> lines(Workload workload) {
    Stream<String> head =
        Stream.of(
            "workload " + Words.print(workload.name()),
            "model " + Words.print(workload.model()),
            "mesh" + axes(workload.mesh()),
            precision(workload.precision()));
    Stream<String> hardware = workload.hardware().stream().map(ExecutionText::hardware);
    Stream<String> network = network(workload.platform());
    Stream<String> classes =
        workload.classes().stream()
            .flatMap(each -> Stream.concat(Stream.of(head(each)), lines(each.graph())));
    Stream<String> origin = workload.origin().stream().flatMap(ExecutionText::origin);
    Stream<String> jobs =
        workload.classes().stream()
            .flatMap(each -> each.job().stream())
            .distinct()
            .map(ExecutionText::job);
    return Stream.of(head, hardware, network, origin, jobs, classes).flatMap(lines -> lines);
  }

  private static String axes(Mesh mesh) {
    return mesh.axes().stream()
        .map(axis -> " " + Words.print(axis.name()) + "=" + axis.degree())
        .collect(Collectors.joining());
  }

  private static String job(JobMesh job) {
    return "job " + Words.print(job.name()) + " ranks=" + job.ranks() + axes(job.mesh());
  }

  private static String precision(Precision precision) {
    return "precision weights="
        + precision.weights().text()
        + " activations="
        + precision.activations().text()
        + " gradients="
        + precision.gradients().text();
  }

  private static String hardware(Hardware hardware) {
    return "hardware "
        + Words.print(hardware.name())
        + " memory="
        + hardware.memoryGb()
        + " bandwidth="
        + hardware.memoryGbPerS()
        + new TreeMap<>(hardware.peakTflops())
            .entrySet().stream()
                .map(peak -> " " + Words.print(peak.getKey()) + "=" + peak.getValue())
                .collect(Collectors.joining());
  }

  private static Stream<String> network(Workload.Platform platform) {
    Stream<String> collectives =
        Stream.of(platform.collectives())
            .filter(each -> each != Collectives.PIPELINED)
            .map(each -> "collectives " + Words.dashed(each));
    return Stream.concat(platform.network().stream().map(ExecutionText::network), collectives);
  }

  private static String network(NetworkDimension dimension) {
    return "network "
        + Words.dashed(dimension.topology())
        + " size="
        + dimension.size()
        + " gbps="
        + dimension.gbPerS()
        + " ns="
        + dimension.latencyNs()
        + (dimension.reached() == 1 ? "" : " reached=" + dimension.reached());
  }

  private static Stream<String> origin(TraceOrigin origin) {
    Stream<String> groups =
        origin.groups().entrySet().stream()
            .map(
                group ->
                    group.getValue().stream()
                        .map(String::valueOf)
                        .collect(
                            Collectors.joining(
                                ",", "group " + Words.print(group.getKey()) + " {", "}")));
    return Stream.concat(Stream.of("origin " + Words.print(origin.format())), groups);
  }

  private static String head(RankClass each) {
    String job = each.job().map(of -> " job=" + Words.print(of.name())).orElse("");
    String slowdown = each.slowdown() == 1 ? "" : " slowdown=" + each.slowdown();
    return "class stage=" + each.stage() + " ranks=" + each.ranks() + job + slowdown;
  }

  private static String joined(Stream<String> lines) {
    return lines.map(line -> line + "\n").collect(Collectors.joining());
  }
}
