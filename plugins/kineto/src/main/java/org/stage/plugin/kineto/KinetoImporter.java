package org.stage.plugin.kineto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.pf4j.Extension;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.Option;
import org.stage.api.plugin.ProfileImporter;
import org.stage.api.plugin.RunContext;
import org.stage.plugin.kineto.format.Sniffer;
import org.stage.plugin.kineto.format.Trace;
import org.stage.plugin.kineto.format.TraceFormatException;
import org.stage.plugin.kineto.format.TraceReader;

/**
 * Reads profiles that PyTorch has exported, of all its versions and on the devices of all makers.
 */
@Extension
public final class KinetoImporter implements ProfileImporter {
  private static final String CLIP = "clip-overlaps";
  private static final String RANK = "rank";
  private static final int LARGEST_RANK = 1 << 24;

  @Override
  public String name() {
    return "kineto";
  }

  @Override
  public String description() {
    return "profiles of PyTorch (Kineto traces, .json or .json.gz)";
  }

  @Override
  public List<Option> options() {
    return List.of(
        Option.ofBoolean(CLIP, false, "Lets a kernel end where the next of its stream begins."),
        Option.ofInteger(RANK, -1, "The rank of the profile, where the file does not say; or -1."));
  }

  @Override
  public boolean accepts(Path file) throws IOException {
    return Sniffer.looksLikeTrace(file);
  }

  @Override
  public Imported read(Path file, RunContext context) throws IOException {
    boolean clip = context.options().isSet(CLIP);
    long rank = context.options().integer(RANK);
    OptionalInt given =
        rank >= 0 && rank <= LARGEST_RANK ? OptionalInt.of((int) rank) : OptionalInt.empty();
    try {
      return new ProfileMaker(trace(file, context), file, clip).make(given);
    } catch (TraceFormatException e) {
      throw new InputException(file.toString(), e.problem(), e.remedy());
    }
  }

  private static Trace trace(Path file, RunContext context)
      throws IOException, TraceFormatException {
    long size = Math.max(1, Files.size(file));
    return TraceReader.read(
        file,
        bytes -> {
          context.checkCancelled();
          context.progress().report(bytes, size, "bytes");
        });
  }
}
