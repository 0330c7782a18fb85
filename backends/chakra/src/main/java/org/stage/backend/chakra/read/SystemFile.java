package org.stage.backend.chakra.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.backend.chakra.format.AstraSimFiles.Dimension;
import org.stage.backend.chakra.format.NetworkFile;

/**
 * Device and network from the simulator's configurations beside a trace set. They only help: what
 * cannot be read is as good as absent.
 */
final class SystemFile {
  private static final long MAX_SIZE = 1 << 20;

  private SystemFile() {}

  /** The device of {@code system.json}. */
  static Optional<Hardware> hardware(Path directory) throws IOException {
    Path file = directory.resolve("system.json");
    if (!Files.isRegularFile(file) || Files.size(file) > MAX_SIZE) {
      return Optional.empty();
    }
    double peak = 0;
    double bandwidth = 0;
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        boolean number = json.nextToken().isNumeric();
        if (number && name.equals("peak-perf")) {
          peak = json.getDoubleValue();
        } else if (number && name.equals("local-mem-bw")) {
          bandwidth = json.getDoubleValue();
        } else {
          json.skipChildren();
        }
      }
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
    return peak > 0 && bandwidth > 0
        ? Optional.of(
            new Hardware(
                "custom", Map.of(DataType.BF16.text(), peak), /* memoryGb= */ 0, bandwidth))
        : Optional.empty();
  }

  /** The dimensions of {@code network.yml}, if they hold that many devices. */
  static List<NetworkDimension> network(Path directory, int devices) throws IOException {
    List<NetworkDimension> network =
        NetworkFile.read(directory).stream().map(SystemFile::dimension).toList();
    long size = NetworkFile.devices(network.stream().mapToInt(NetworkDimension::size).toArray());
    return size == devices ? network : List.of();
  }

  private static NetworkDimension dimension(Dimension dimension) {
    Topology topology =
        switch (dimension.topology()) {
          case RING -> Topology.RING;
          case SWITCH -> Topology.SWITCH;
          case FULLY_CONNECTED -> Topology.FULLY_CONNECTED;
        };
    int links = topology == Topology.FULLY_CONNECTED ? dimension.size() - 1 : 1;
    return new NetworkDimension(
        topology, dimension.size(), dimension.gbPerS() * links, dimension.latencyNs());
  }
}
