package org.stage.backend.dot;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.stage.api.workload.Phase;
import org.stage.backend.dot.format.DotWriter;

/** Writes a drawing: boxes, edges, and what the colours mean. */
final class Painter {
  private static final Map<Phase, String> PHASES =
      Map.of(
          Phase.FORWARD, "forward",
          Phase.BACKWARD, "backward",
          Phase.RECOMPUTE, "forward again",
          Phase.OPTIMIZER, "optimizer");

  private final DotWriter out;
  private final Fold fold;
  private final Colours colours = new Colours();

  Painter(DotWriter out, Fold fold) {
    this.out = out;
    this.fold = fold;
  }

  void paint(Drawing drawing) throws IOException {
    for (Map.Entry<Box, Drawing.Content> box : drawing.boxes().entrySet()) {
      paint(box.getKey(), box.getValue());
    }
    for (Map.Entry<Drawing.Edge, Integer> edge : drawing.edges().entrySet()) {
      paint(edge.getKey(), edge.getValue());
    }
    paintLegend(drawing.boxes().size());
  }

  private void paint(Box box, Drawing.Content content) throws IOException {
    List<String> label = new ArrayList<>();
    label.add(box.part());
    label.add(PHASES.getOrDefault(box.phase(), box.phase().text()));
    if (!box.what().isEmpty()) {
      label.add(box.what());
    }
    if (fold == Fold.NONE) {
      if (!content.operator().isEmpty()) {
        label.add(content.operator());
      }
      label.add(size(content));
    } else {
      label.add(content.count() + " x, " + size(content));
    }
    Map<String, String> attributes =
        box.axis().map(axis -> Map.of("fillcolor", colours.of(axis))).orElse(Map.of());
    out.node(content.number(), label, attributes);
  }

  private static String size(Drawing.Content content) {
    return content.bytes() > 0 ? si(content.bytes(), "B") : si(content.flops(), "FLOP");
  }

  /** For example {@code 1.25 GB}. */
  static String si(double value, String unit) {
    String prefixes = " kMGTPE";
    int power = 0;
    double scaled = value;
    while (scaled >= 999.5 && power < prefixes.length() - 1) {
      scaled /= 1000;
      power++;
    }
    String prefix = prefixes.substring(power, power + 1).strip();
    int decimals = power == 0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f %s%s", scaled, prefix, unit);
  }

  /** A thicker edge stands for more dependencies, and draws its ends closer together. */
  private void paint(Drawing.Edge edge, int count) throws IOException {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (count > 1) {
      // a label in the middle would be a node of the layout, which takes many times as long
      attributes.put("headlabel", Integer.toString(count));
      attributes.put("weight", Integer.toString(count));
      attributes.put("penwidth", String.format(Locale.ROOT, "%.1f", 1 + Math.log10(count)));
    }
    if (!edge.data()) {
      attributes.put("style", "dashed");
    }
    // boxes are numbered in program order: with upward edges out of the way, ranks have no cycle
    if (!edge.data() || edge.from() > edge.to()) {
      attributes.put("constraint", "false");
    }
    out.edge(edge.from(), edge.to(), attributes);
  }

  private void paintLegend(int firstNumber) throws IOException {
    if (colours.used().isEmpty()) {
      return;
    }
    int number = firstNumber;
    out.beginFrame("communication along");
    for (Map.Entry<String, String> colour : colours.used().entrySet()) {
      out.node(number++, List.of(colour.getKey()), Map.of("fillcolor", colour.getValue()));
    }
    out.endFrame();
  }
}
