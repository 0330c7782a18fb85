package org.stage.backend.dot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
            + drawn.stage();
    try (DotWriter out = new DotWriter(file, title)) {
      new Painter(out, fold).paint(drawing);
    }
    return new ExportReport(drawing.nodes(), notes(drawing, fold).stream().toList());
  }

  private static int within(String option, ExportContext context, int least, int most) {
    long value = Long.parseLong(context.options().get(option));
    if (value < least || value > most) {
      throw new InputException(
          "dot: " + option, value + " is not from " + least + " to " + most, "Choose another.");
    }
    return (int) value;
  }

  private static Optional<Diagnostic> notes(Drawing drawing, Fold fold) {
    if (drawing.left() == 0) {
      return Optional.empty();
    }
    int drawn = drawing.boxes().size();
    return Optional.of(
        new Diagnostic(
            Severity.WARNING,
            "",
            "the graph would have "
                + (drawn + drawing.left())
                + " boxes: only the first "
                + drawn
                + " are drawn",
            fold == Fold.LAYER ? "Raise `most`." : "Fold more (`fold: layer`), or raise `most`."));
  }
}
