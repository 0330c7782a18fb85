package org.stage.plugin.pytorchet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.pf4j.Extension;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.diagnostic.Severity;
import org.stage.api.plugin.ProfileImporter;
import org.stage.api.plugin.RunContext;
import org.stage.api.profile.Profile;
import org.stage.plugin.kineto.ProfileMaker;
import org.stage.plugin.kineto.format.Sniffer;
import org.stage.plugin.kineto.format.Trace;
import org.stage.plugin.kineto.format.TraceFormatException;
import org.stage.plugin.kineto.format.TraceReader;
import org.stage.plugin.pytorchet.format.EtFile;

/**
 * Reads execution traces of PyTorch. They have shapes but no times; with the profile of the same
 * process beside them, its operators get their shapes.
 */
@Extension
public final class PyTorchEtImporter implements ProfileImporter {
  private static final Pattern PID = Pattern.compile("\"pid\"\\s*:\\s*\"?(\\d{1,18})");
  private static final Pattern SCHEMA = Pattern.compile("\"schema\"\\s*:\\s*\"\\d+\\.\\d+\\.\\d+");

  @Override
  public String name() {
    return "pytorch-et";
  }

  @Override
  public String description() {
    return "execution traces of PyTorch (.json or .json.gz), with or without their profiles";
  }

  @Override
  public boolean accepts(Path file) throws IOException {
    String head = Sniffer.head(file);
    return head.contains("\"nodes\"") && SCHEMA.matcher(head).find();
  }

  @Override
  public List<Path> companions(Path file, List<Path> others) throws IOException {
    Matcher pid = PID.matcher(Sniffer.head(file));
    if (!pid.find()) {
      return List.of();
    }
    Pattern same = Pattern.compile("\"pid\"\\s*:\\s*\"?" + pid.group(1) + "\\D");
    for (Path other : others) {
      if (Sniffer.looksLikeTrace(other) && !accepts(other)) {
        if (same.matcher(Sniffer.head(other)).find()) {
          return List.of(other);
        }
      }
    }
    return List.of();
  }

  @Override
  public Imported read(Path file, RunContext context) throws IOException {
    EtFile et = et(file, context);
    ProfileMaker maker = new ProfileMaker(CallTree.trace(et.nodes()), file, false);
    Profile profile = maker.makeUntimed(et.condition());
    List<Diagnostic> notes = notes(file, et, maker, profile);
    notes.add(
        Diagnostic.warning(
            file.toString(),
            "is an execution trace, which has shapes but no times",
            "Name the profile of the same process too."));
    return new Imported(profile, notes);
  }

  @Override
  public Imported readWith(Path file, List<Path> companions, RunContext context)
      throws IOException {
    EtFile et = et(file, context);
    Path companion = companions.get(0);
    Trace trace;
    try {
      trace = TraceReader.read(companion, bytes -> context.checkCancelled());
    } catch (TraceFormatException e) {
      throw new InputException(companion.toString(), e.problem(), e.remedy());
    }
    Join.Result joined = new Join(et.nodes(), trace).run();
    ProfileMaker maker = new ProfileMaker(trace, companion, false);
    Imported imported = maker.make(OptionalInt.empty());
    List<Diagnostic> notes = notes(file, et, maker, imported.profile());
    notes.addAll(imported.notes());
    notes.add(joined(file, et, joined));
    return new Imported(imported.profile(), notes);
  }

  private static Diagnostic joined(Path file, EtFile et, Join.Result joined) {
    String message =
        joined.matched()
            + " of its "
            + et.nodes().size()
            + " calls were found in the profile, by "
            + (joined.byNumber() ? "the numbers of their records" : "the order of their names");
    return joined.matched() * 2 >= et.nodes().size()
        ? new Diagnostic(Severity.NOTE, file.toString(), message, "")
        : Diagnostic.warning(
            file.toString(), message, "Name an execution trace and a profile of the same steps.");
  }

  private static List<Diagnostic> notes(Path file, EtFile et, ProfileMaker maker, Profile profile) {
    List<Diagnostic> notes = new ArrayList<>();
    for (Diagnostic each : maker.lost(et.condition(), profile.coverage())) {
      notes.add(new Diagnostic(each.severity(), file.toString(), each.message(), each.remedy()));
    }
    if (!et.isKnown()) {
      notes.add(
          Diagnostic.warning(
              file.toString(),
              "is of a schema that this version does not know, and is read by what its nodes"
                  + " look like",
              "Known are 1.0.1 to 1.1.1."));
    }
    return notes;
  }

  private static EtFile et(Path file, RunContext context) throws IOException {
    long size = Math.max(1, Files.size(file));
    try {
      return EtFile.read(
          file,
          bytes -> {
            context.checkCancelled();
            context.progress().report(bytes, size, "bytes");
          });
    } catch (TraceFormatException e) {
      throw new InputException(file.toString(), e.problem(), e.remedy());
    }
  }
}
