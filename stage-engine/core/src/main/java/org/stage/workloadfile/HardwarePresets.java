package org.stage.workloadfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.stage.api.workload.Hardware;
import org.stage.api.workload.NetworkDimension;
import org.stage.job.Origin;
import org.stage.job.Problems;

/** The devices that come with the engine, with the networks in which they are sold. */
public final class HardwarePresets {
  /** Names there are, sorted. */
  static final List<String> NAMES =
      List.of("a100", "b200", "h100", "h200", "mi300x", "tpu-v4", "tpu-v5e", "tpu-v5p");

  private static final String CHANGED = "-changed";

  private HardwarePresets() {}

  /**
   * A device with its network.
   *
   * @param hardware the device, under the name typed in a workload file
   * @param reservedGb what a framework takes of its memory, 10^9 bytes
   * @param links network dimensions, innermost first; the last takes the devices that remain
   * @param description a line about it
   * @param source where the numbers come from
   */
  public record Preset(
      Hardware hardware,
      double reservedGb,
      List<NetworkDimension> links,
      String description,
      String source) {
    /** Copies the list. */
    public Preset {
      links = List.copyOf(links);
    }

    /**
     * The network of {@code devices} of these: as sold, where full nodes multiply to them, else one
     * switch as fast as the slowest link.
     */
    public List<NetworkDimension> network(int devices) {
      List<NetworkDimension> network = new ArrayList<>();
      int remaining = devices;
      for (int i = 0; i < links.size() && remaining > 1; i++) {
        NetworkDimension link = links.get(i);
        boolean last = i == links.size() - 1 || remaining <= link.size();
        int size = last ? remaining : link.size();
        if (remaining % size != 0) {
          return List.of(SharedNetwork.oneSwitch(links, devices));
        }
        network.add(link.withSize(size));
        remaining /= size;
      }
      return List.copyOf(network);
    }
  }

  /** All presets, sorted by name. */
  public static List<Preset> all() {
    return NAMES.stream().map(HardwarePresets::find).toList();
  }

  /** The preset {@code name}, which must exist. */
  static Preset find(String name) {
    return changed(name, new SourceNode.Fields(new Origin(name, 0, ""), Map.of()));
  }

  /** The same with other numbers of its device. */
  static Preset changed(String name, SourceNode.Fields changes) {
    String named = changes.fields().isEmpty() ? name : name + CHANGED;
    return of(named, Resources.map("/hardware/" + name + ".yaml"), changes, false);
  }

  /** The preset of which a device is, as it is or changed. */
  static Optional<Preset> of(Hardware device) {
    String name = device.name();
    String plain =
        name.endsWith(CHANGED) ? name.substring(0, name.length() - CHANGED.length()) : name;
    return NAMES.contains(plain) ? Optional.of(find(plain)) : Optional.empty();
  }

  /**
   * The device of a file like those of the presets.
   *
   * @param name its name
   * @param fields what the file holds
   * @param changes keys of its device with other numbers
   * @param complete whether it must have all that a workload file must have of a device
   */
  static Preset of(
      String name, SourceNode.Fields fields, SourceNode.Fields changes, boolean complete) {
    Problems problems = new Problems();
    SourceNode.Fields keys = fields.without("description", "source");
    new KeyCheck(problems, false).fields("", keys, false, "");
    if (complete && keys.get("hardware") instanceof SourceNode.Fields device) {
      new KeyCheck(problems, true).fields("hardware", device, false, "hardware");
    } else if (complete) {
      problems.add(fields.origin().at("hardware"), "is missing", "Add the map of the device.");
    }
    problems.report();
    Values values = new Values(overlaid(fields, "hardware", changes));
    return new Preset(
        DeviceReader.hardware(name, values),
        values.decimal("hardware.reserved_gb"),
        DeviceReader.network(values),
        DeviceReader.text(values, "description"),
        DeviceReader.text(values, "source"));
  }

  /** The map with changes in the map at {@code key}, and in those within it. */
  private static SourceNode.Fields overlaid(
      SourceNode.Fields base, String key, SourceNode.Fields changes) {
    SourceNode.Fields result = base.get(key) instanceof SourceNode.Fields inner ? inner : changes;
    for (String name : changes.keys()) {
      SourceNode change = changes.get(name);
      if (change instanceof SourceNode.Fields map) {
        result = overlaid(result, name, map);
      } else if (change != null) {
        result = result.with(name, change);
      }
    }
    return base.with(key, result);
  }
}
