package org.stage.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.stage.analyze.Analysis;
import org.stage.analyze.Memory;
import org.stage.api.workload.Phase;

/** An analysis for people. */
final class AnalysisText {
  private AnalysisText() {}

  static void print(PrintWriter out, Analysis analysis) {
    out.println("model              " + analysis.model());
    out.println("parameters         " + Units.count(analysis.parameters()));
    if (analysis.activeParameters() != analysis.parameters()) {
      out.println("active parameters  " + Units.count(analysis.activeParameters()));
    }
    out.println("mesh               " + devices(analysis));
    out.println("FLOPs              " + Units.flops(analysis.totalFlops()));
    out.println("traffic            " + Units.bytes(analysis.totalTrafficBytes()));
    out.println("peak memory        " + Units.bytes(analysis.peakMemoryBytes()) + " per rank");
    out.println();
    out.println("Each class of ranks, per rank and step");
    classes(analysis).print(out);
    out.println();
    out.println("Memory at its peak, per rank");
    memory(analysis).print(out);
    for (EqualClasses each : EqualClasses.of(analysis.classes(), Analysis.OfClass::traffic)) {
      if (!each.first().traffic().isEmpty()) {
        out.println();
        out.println("Traffic of each of the ranks " + each.ranks() + ", per step");
        traffic(each.first()).print(out);
      }
    }
  }

  /** For example {@code 32 devices, tp=4 dp=4 pp=2}. */
  static String devices(Analysis analysis) {
    int devices = analysis.mesh().devices();
    String axes = analysis.mesh().toString();
    return Units.counted(devices, "device") + (axes.isEmpty() ? "" : ", " + axes);
  }

  private static Table classes(Analysis analysis) {
    List<String> heading = new ArrayList<>(List.of("ranks", ">stage", ">nodes", ">parameters"));
    for (Phase phase : Phase.values()) {
      heading.add(">" + phase.text());
    }
    heading.add(">other");
    Table table = new Table(heading.toArray(String[]::new));
    for (EqualClasses each : EqualClasses.of(analysis.classes(), AnalysisText::work)) {
      List<String> row = new ArrayList<>();
      row.add(each.ranks().toString());
      row.add(each.stages().toString());
      row.addAll(work(each.first()));
      table.row(row.toArray(String[]::new));
    }
    return table;
  }

  private static List<String> work(Analysis.OfClass each) {
    List<String> cells = new ArrayList<>();
    cells.add(Units.count(each.nodes()));
    cells.add(Units.count(each.parameters()));
    for (Phase phase : Phase.values()) {
      cells.add(Units.flops(each.flops().getOrDefault(phase, 0L)));
    }
    cells.add(Units.flops(each.otherFlops()));
    return cells;
  }

  private static Table memory(Analysis analysis) {
    Table table =
        new Table(
            "ranks",
            ">peak",
            ">parameters",
            ">gradients",
            ">optimizer",
            ">activations",
            ">workspace");
    for (EqualClasses each : EqualClasses.of(analysis.classes(), AnalysisText::needs)) {
      List<String> row = new ArrayList<>(List.of(each.ranks().toString()));
      row.addAll(needs(each.first()));
      table.row(row.toArray(String[]::new));
    }
    return table;
  }

  private static List<String> needs(Analysis.OfClass each) {
    Memory memory = each.memory();
    return List.of(
        Units.bytes(memory.peak()),
        Units.bytes(memory.parameters()),
        Units.bytes(memory.gradients()),
        Units.bytes(memory.optimizer()),
        Units.bytes(memory.activations()),
        Units.bytes(memory.workspace()));
  }

  private static Table traffic(Analysis.OfClass each) {
    Table table = new Table("kind", "axis", ">group", "type", ">count", ">elements", ">bytes");
    for (Analysis.Traffic traffic : each.traffic()) {
      table.row(
          traffic.kind(),
          traffic.axis(),
          Units.count(traffic.groupSize()),
          traffic.type().text(),
          Units.count(traffic.count()),
          Units.count(traffic.elements()),
          Units.bytes(traffic.bytes()));
    }
    return table;
  }
}
