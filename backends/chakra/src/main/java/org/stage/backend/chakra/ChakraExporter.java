package org.stage.backend.chakra;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.pf4j.Extension;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.WorkException;
import org.stage.api.plugin.Capabilities;
import org.stage.api.plugin.ExportContext;
import org.stage.api.plugin.ExportReport;
import org.stage.api.plugin.Exporter;
import org.stage.api.plugin.Option;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.RankSet;
import org.stage.api.workload.Workload;
import org.stage.backend.chakra.check.SetCheck;
import org.stage.backend.chakra.format.TraceSet;
import org.stage.backend.chakra.format.TraceWriter;

/**
 * Writes Chakra execution traces: a file per rank, the communicators, and the configurations of
 * ASTRA-sim. A class of ranks is encoded once.
 */
@Extension
public final class ChakraExporter implements Exporter {
  /** Names whose communicator file would take the place of a configuration. */
  private static final Set<String> TAKEN = Set.of("system", "system-1d", "memory");

  @Override
  public String name() {
    return "chakra";
  }

  @Override
  public String description() {
    return "Chakra execution traces (.et) with configurations for ASTRA-sim";
  }

  @Override
  public List<Option> options() {
    return Settings.OPTIONS;
  }

  @Override
  public Capabilities capabilities() {
    return Capabilities.everything();
  }

  @Override
  public ExportReport export(Workload workload, ExportContext context) throws IOException {
    checkName(workload.name());
    Job job = Job.of(workload, context.options());
    Run run = new Run(workload, context, job);
    try {
      for (RankClass ranks : workload.classes()) {
        run.export(ranks);
      }
    } catch (ArithmeticException e) {
      throw new WorkException(
          workload.name(),
          "a size does not fit 63 bits, or the trace of a rank 2 GiB",
          "Make the model or the batch smaller.",
          e);
    }
    Path groups = context.directory().resolve(workload.name() + ".json");
    job.groups().write(groups);
    if (workload.origin().isPresent() && job.settings().order() == Settings.Order.TOTAL) {
      requireOneOrder(context.directory());
    }
    new SimulatorFiles(workload, job).write(context.directory(), run.ranks());
    List<Diagnostic> notes = new ArrayList<>(job.findings().notes(job.groups().table().size()));
    notes.addAll(job.mispriced().warnings());
    return new ExportReport(run.written, notes, job.findings().losses());
  }

  /**
   * The order of a trace that was read is that of its nodes, which nobody has made to agree on all
   * ranks. As dependencies it would be a deadlock.
   */
  private static void requireOneOrder(Path directory) throws IOException {
    for (TraceSet set : TraceSet.find(directory)) {
      Optional<Diagnostic> contradiction = new SetCheck(set).contradiction();
      if (contradiction.isPresent()) {
        throw new InputException(
            "order",
            "total cannot be written: " + contradiction.get().message(),
            "Take none or per-group, and let the simulator decide by timing, or mend the traces.");
      }
    }
  }

  private static void checkName(String name) {
    if (name.isEmpty() || name.matches(".*[/\\\\\\p{Cntrl}].*") || TAKEN.contains(name)) {
      throw new InputException(
          "name", "'" + name + "' cannot begin the names of files", "Choose another.");
    }
    if (name.toLowerCase(Locale.ROOT).contains("empty")) {
      throw new InputException(
          "name",
          "'"
              + name
              + "' contains 'empty', by which ASTRA-sim means that there are no communicators",
          "Choose another.");
    }
  }

  /** An export under way. */
  private static final class Run {
    private final Workload workload;
    private final ExportContext context;
    private final Job job;
    private final TraceWriter writer;
    private final int total;
    private int done;

    /** Nodes in the files that were wanted. */
    private long written;

    /** All ranks by number of nodes. */
    private final SortedMap<Integer, IntStream.Builder> byNodes = new TreeMap<>();

    Run(Workload workload, ExportContext context, Job job) {
      this.workload = workload;
      this.context = context;
      this.job = job;
      this.writer = new TraceWriter(job.settings().gzip());
      this.total = context.ranks().size();
    }

    SortedMap<Integer, RankSet> ranks() {
      SortedMap<Integer, RankSet> ranks = new TreeMap<>();
      byNodes.forEach((nodes, each) -> ranks.put(nodes, RankSet.of(each.build().sorted())));
      return ranks;
    }

    private void price(ClassTrace trace, int rank) {
      RankGroups groups = trace.groups();
      for (Slot slot : trace.slots()) {
        if (slot instanceof Slot.Destination to) {
          job.mispriced().message(rank, groups.peer(rank, to.peer()));
        } else if (slot instanceof Slot.Members of) {
          int communicator = groups.id(of.group(), rank);
          if (job.groups().isListed(communicator)) {
            String name = groups.mesh().mesh().text(of.group());
            job.mispriced().group(communicator, name, job.groups()::members);
          }
        }
      }
    }

    /** Goes through all ranks, as the ids of groups must not depend on which files are wanted. */
    void export(RankClass ranks) throws IOException {
      ClassTrace trace =
          new ClassTranslator(job, job.groups().of(workload.meshOf(ranks)), ranks).translate();
      PrimitiveIterator.OfInt each = ranks.ranks().stream().iterator();
      while (each.hasNext()) {
        int rank = each.nextInt();
        context.checkCancelled();
        byte[][] fills = trace.fills(rank);
        price(trace, rank);
        byNodes.computeIfAbsent(trace.template().nodes(), key -> IntStream.builder()).add(rank);
        if (context.ranks().contains(rank)) {
          Path file = context.directory().resolve(TraceSet.fileName(workload.name(), rank));
          writer.write(file, trace.template(), fills);
          written += trace.template().nodes();
          context.progress().report(++done, total, "ranks");
        }
      }
    }
  }
}
