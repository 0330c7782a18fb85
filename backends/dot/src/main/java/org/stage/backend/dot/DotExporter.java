package org.stage.backend.dot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.pf4j.Extension;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.Option;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.Workload;
import org.stage.backend.dot.format.DotWriter;

/** Draws the execution graph of one rank, as Graphviz lays it out. */
@Extension
public final class DotExporter implements Exporter {
  /** The layout of more boxes takes minutes, and is too large to be looked at. */
  private static final int MOST = 500;

  private static final List<Option> OPTIONS =
      List.of(
          Option.ofInteger("rank", 0, "the rank whose graph is drawn"),
          Option.ofChoice(
              "fold",
              List.of("module", "layer", "none"),
              "what is one box: a module over all micro-batches, a layer likewise, a node"),
          Option.ofInteger("most", MOST, "boxes that are drawn at most"));

  @Override
  public String name() {
    return "dot";
  }

  @Override
  public String description() {
    return "Drawing of the execution graph of one rank, for Graphviz";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public Capabilities capabilities() {
    return Capabilities.everything();
  }

  @Override
  public ExportReport export(Workload workload, ExportContext context) throws IOException {
    int devices = workload.mesh().devices();
    int rank = within("rank", context, 0, devices - 1);
    int most = within("most", context, 1, Integer.MAX_VALUE);
    RankClass drawn =
        workload.classes().stream()
            .filter(each -> each.ranks().contains(rank))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("rank " + rank + " is in no class"));
    context.checkCancelled();
    Fold fold = Fold.of(context.options().get("fold"));
    Drawing drawing = Drawing.of(drawn.graph(), fold, workload.meshOf(drawn).mesh(), most);
    Path file = context.directory().resolve("rank" + rank + ".dot");
    String title =
        workload.model()
            + " on "
            + workload.meshOf(drawn).mesh()
            + ", rank "
            + rank
            + ", stage "
            + drawn.stage()
            + (drawn.slowdown() == 1 ? "" : ", slower by " + drawn.slowdown());
    try (DotWriter out = new DotWriter(file, title)) {
      new Painter(out, fold).paint(drawing);
    }
    return new ExportReport(drawing.nodes(), List.of(), losses(workload, drawn, drawing, fold));
  }

  private static int within(String option, ExportContext context, int least, int most) {
    long value = Long.parseLong(context.options().get(option));
    if (value < least || value > most) {
      throw new InputException(
          "dot: " + option, value + " is not from " + least + " to " + most, "Choose another.");
    }
    return (int) value;
  }

  private static List<Diagnostic> losses(
      Workload workload, RankClass drawn, Drawing drawing, Fold fold) {
    List<Diagnostic> losses = new ArrayList<>();
    int others = workload.classes().size() - 1;
    if (others > 0) {
      losses.add(
          new Diagnostic(
              Severity.NOTE,
              "",
              "the drawing shows what ranks " + drawn.ranks() + " do, and not what others do",
              "Draw another by the option rank."));
    }
    if (drawing.left() > 0) {
      int boxes = drawing.boxes().size();
      losses.add(
          Diagnostic.warning(
              "",
              "the graph would have "
                  + (boxes + drawing.left())
                  + " boxes: only the first "
                  + boxes
                  + " are drawn",
              fold == Fold.LAYER
                  ? "Raise `most`."
                  : "Fold more (`fold: layer`), or raise `most`."));
    }
    return losses;
  }
}
