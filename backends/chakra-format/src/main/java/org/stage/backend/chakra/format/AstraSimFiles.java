package org.stage.backend.chakra.format;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The configurations that ASTRA-sim's analytical backends read beside a trace set.
 *
 * @param network dimensions, innermost first; at least one
 * @param peakTflops throughput of a device, 10^12 FLOP/s
 * @param memoryGbPerS memory bandwidth of a device, 10^9 bytes a second
 * @param trace whether the simulator logs every node
 * @param trackMemory whether it follows the tensors of the nodes
 * @param roofline whether kernels take what the device's figures say; else the durations in the
 *     trace, which the simulator ignores otherwise
 */
public record AstraSimFiles(
    List<Dimension> network,
    double peakTflops,
    double memoryGbPerS,
    boolean trace,
    boolean trackMemory,
    boolean roofline) {
  /**
   * Chunks of a collective, and how many of them are under way at a time. The congestion-unaware
   * backend lets chunks pass through a link side by side for free, so more than one of them would
   * end a collective before the bandwidth allows.
   */
  private static final int CHUNKS = 1;

  /**
   * One dimension of the network.
   *
   * @param topology how its devices are joined
   * @param size devices along it, at least 2
   * @param gbPerS bandwidth of a link, 10^9 bytes a second; where each is connected to each, a
   *     device has a link to each other one
   * @param latencyNs nanoseconds
   */
  public record Dimension(Topology topology, int size, double gbPerS, double latencyNs) {}

  /** Topologies by ASTRA-sim's names, with the algorithm that each carries for any size. */
  public enum Topology {
    /** Each to its two neighbours. */
    RING("Ring", "ring", "ring"),
    /**
     * Each to a switch. Halving-doubling would suit it, but hangs where the size is no power of
     * two. In an all-to-all each part goes straight to its member, one at a time: a ring would send
     * each on to the next member until it is there, n/2 times as many bytes.
     */
    SWITCH("Switch", "ring", "direct1"),
    /** Each to each, over all links at once. */
    FULLY_CONNECTED("FullyConnected", "direct", "direct");

    private final String text;
    private final String algorithm;
    private final String exchange;

    Topology(String text, String algorithm, String exchange) {
      this.text = text;
      this.algorithm = algorithm;
      this.exchange = exchange;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Copies the list. */
  public AstraSimFiles {
    network = List.copyOf(network);
  }

  /** Configurations where kernels take what the device's figures say. */
  public AstraSimFiles(
      List<Dimension> network,
      double peakTflops,
      double memoryGbPerS,
      boolean trace,
      boolean trackMemory) {
    this(network, peakTflops, memoryGbPerS, trace, trackMemory, true);
  }

  /** Devices in the network. */
  public int devices() {
    return network.stream().mapToInt(Dimension::size).reduce(1, Math::multiplyExact);
  }

  /**
   * Whether the congestion-aware backend takes the network as it is: one dimension, no ring of two
   * and no switch.
   */
  public boolean suitsCongestionAware() {
    Dimension first = network.get(0);
    return network.size() == 1
        && first.topology() != Topology.SWITCH
        && (first.topology() != Topology.RING || first.size() > 2);
  }

  /**
   * The same for the congestion-aware backend: all devices on one switch, as fast as the slowest
   * dimension. A switch of that backend forwards a chunk when the whole of it has come, over two
   * links, so that links of twice the bandwidth carry it in the time that it takes.
   */
  public AstraSimFiles flattened() {
    double gbPerS = network.stream().mapToDouble(AstraSimFiles::ofDevice).min().orElseThrow();
    double latency = network.stream().mapToDouble(Dimension::latencyNs).max().orElseThrow();
    Dimension flat = new Dimension(Topology.SWITCH, devices(), 2 * gbPerS, latency);
    return new AstraSimFiles(List.of(flat), peakTflops, memoryGbPerS, trace, trackMemory, roofline);
  }

  /** What a device sends into a dimension. */
  private static double ofDevice(Dimension dimension) {
    boolean many = dimension.topology() == Topology.FULLY_CONNECTED;
    return dimension.gbPerS() * (many ? dimension.size() - 1 : 1);
  }

  /**
   * {@code network.yml}. The simulator takes the bandwidth in GiB/s, though its samples say GB/s.
   */
  public String networkYaml() {
    return "topology: "
        + list(d -> d.topology().toString())
        + "\nnpus_count: "
        + list(d -> Integer.toString(d.size()))
        + "\nbandwidth: "
        + list(d -> number(d.gbPerS() * 1e9 / (1 << 30)))
        + "  # GiB/s\nlatency: "
        + list(d -> number(d.latencyNs()))
        + "  # ns\n";
  }

  /** {@code system.json}. Switches are numbers: the simulator takes {@code false} for yes. */
  public String systemJson() {
    String algorithms = list(d -> '"' + d.topology().algorithm + '"');
    return String.format(
        Locale.ROOT,
        """
        {
          "scheduling-policy": "LIFO",
          "endpoint-delay": 10,
          "active-chunks-per-dimension": %d,
          "preferred-dataset-splits": %d,
          "all-reduce-implementation": %s,
          "all-gather-implementation": %s,
          "reduce-scatter-implementation": %s,
          "all-to-all-implementation": %s,
          "collective-optimization": "localBWAware",
          "peak-perf": %s,
          "local-mem-bw": %s,
          "roofline-enabled": %d,
          "trace-enabled": %d,
          "track-local-mem": %d
        }
        """,
        CHUNKS,
        CHUNKS,
        algorithms,
        algorithms,
        algorithms,
        list(d -> '"' + d.topology().exchange + '"'),
        number(peakTflops),
        number(memoryGbPerS),
        roofline ? 1 : 0,
        trace ? 1 : 0,
        trackMemory ? 1 : 0);
  }

  /**
   * {@code memory.json}.
   *
   * @param host whether devices have memory outside, each its own: that of the host behind a PCIe
   *     5.0 x16 link, 64 GB/s each way
   */
  public static String memoryJson(boolean host) {
    return host
        ? """
        {
          "memory-type": "PER_NPU_MEMORY_EXPANSION",
          "remote-mem-latency": 1000,
          "remote-mem-bw": 64
        }
        """
        : "{\n  \"memory-type\": \"NO_MEMORY_EXPANSION\"\n}\n";
  }

  /**
   * {@code logging.toml}. The simulator's own loggers write behind its back and lose their last
   * lines when it crashes at exit; this one writes each line of nodes and ranks at once. Its sink
   * takes nothing, as the simulator adds those of the console and of the log.
   */
  public static String loggingToml() {
    return """
    [[sink]]
    name = "none"
    type = "null_sink_st"

    [[logger]]
    name = "workload"
    sinks = ["none"]
    level = "debug"
    flush_level = "debug"
    """;
  }

  private String list(Function<Dimension, String> text) {
    return network.stream().map(text).collect(Collectors.joining(", ", "[ ", " ]"));
  }

  /** With a decimal point and up to six digits behind it, for the same text in every locale. */
  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.6f", value);
    return text.replaceFirst("(\\.\\d+?)0+$", "$1");
  }
}
