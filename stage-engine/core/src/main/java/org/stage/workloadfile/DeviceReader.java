package org.stage.workloadfile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.diagnostic.InputException;
import org.stage.api.workload.Collectives;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.NetworkDimension;
import org.stage.api.workload.NetworkDimension.Topology;
import org.stage.job.Platform;

/** Reads the device and the network of a workload file. */
final class DeviceReader {
  private final Values values;
  private final Path workload;

  /**
   * A reader.
   *
   * @param workload the workload file, whose folder paths are relative to
   */
  DeviceReader(Values values, Path workload) {
    this.values = values;
    this.workload = workload;
  }

  /** The device, and the network of {@code devices}, or, if it is shared, of more. */
  Platform platform(int devices, boolean shared) {
    double reserved =
        preset()
            .map(HardwarePresets.Preset::reservedGb)
            .orElseGet(() -> values.decimal("hardware.reserved_gb"));
    return new Platform(
        hardware(),
        reserved,
        network(devices, shared),
        values.constant("collectives", Collectives.class));
  }

  private Optional<Hardware> hardware() {
    Optional<HardwarePresets.Preset> preset = preset();
    if (preset.isPresent()) {
      return preset.map(HardwarePresets.Preset::hardware);
    }
    return values.has("hardware") ? Optional.of(hardware("custom", values)) : Optional.empty();
  }

  /** Empty if it is not known. */
  private List<NetworkDimension> network(int devices, boolean shared) {
    if (!values.has("network")) {
      return preset().map(preset -> preset.network(devices)).orElse(List.of());
    }
    List<NetworkDimension> network = network(values);
    long product = 1;
    for (NetworkDimension dimension : network) {
      product = Math.min(product * dimension.size(), Keys.DEVICES * 2);
    }
    if (!shared && product != devices && !network.isEmpty()) {
      values.fault(
          "network",
          "sizes multiply to "
              + (product > Keys.DEVICES ? "too many" : product)
              + "; the mesh has "
              + devices
              + " devices",
          "Change the sizes or the mesh.");
    }
    return network;
  }

  /** The preset that is named, with what the file changes of its device. */
  private Optional<HardwarePresets.Preset> preset() {
    SourceNode.Fields none = new SourceNode.Fields(values.origin("hardware"), Map.of());
    SourceNode.Fields changes =
        values.node("hardware").orElse(none) instanceof SourceNode.Fields map ? map : none;
    return values
        .node("hardware.preset")
        .or(() -> values.node("hardware"))
        .filter(SourceNode.Scalar.class::isInstance)
        .map(name -> preset((SourceNode.Scalar) name, changes.without("preset")));
  }

  private HardwarePresets.Preset preset(SourceNode.Scalar name, SourceNode.Fields changes) {
    if (HardwarePresets.NAMES.contains(name.raw())) {
      return HardwarePresets.changed(name.raw(), changes);
    }
    Path file = Located.find(workload, name, name.origin().at("hardware"));
    SourceNode tree = TreeReader.read(file.toString(), SourceText.read(file));
    if (!(tree instanceof SourceNode.Fields fields)) {
      throw new InputException(file.toString(), "holds no device", "Begin with: hardware:");
    }
    return HardwarePresets.of("custom", fields, changes, true);
  }

  /** The device at {@code hardware}, which is a map. */
  static Hardware hardware(String name, Values values) {
    Map<String, Double> peak = new LinkedHashMap<>();
    for (Key key : Keys.in("hardware.peak_tflops")) {
      if (values.has(key.path())) {
        peak.put(key.name(), values.decimal(key.path()));
      }
    }
    return new Hardware(
        name,
        peak,
        values.decimal("hardware.memory_gb"),
        values.decimal("hardware.memory_gb_per_s"));
  }

  /** The dimensions at {@code network}; where a preset leaves a size out, it is 1. */
  static List<NetworkDimension> network(Values values) {
    List<NetworkDimension> network = new ArrayList<>();
    for (Values dimension : values.maps("network")) {
      network.add(
          new NetworkDimension(
              dimension.constant("network[].topology", Topology.class),
              dimension.whole("network[].size", 1),
              dimension.decimal("network[].gb_per_s"),
              dimension.decimal("network[].latency_ns"),
              dimension.decimal("network[].reached")));
    }
    return network;
  }

  /** A text of a preset, outside the table of keys. */
  static String text(Values values, String name) {
    return values
        .node(name)
        .filter(SourceNode.Scalar.class::isInstance)
        .map(node -> ((SourceNode.Scalar) node).raw())
        .orElse("");
  }
}
