package org.stage.plugin.kineto;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.InputException;
import org.stage.api.plugin.ProfileImporter.Imported;
import org.stage.api.profile.Coverage;
import org.stage.api.profile.MeasuredOperator;
import org.stage.api.profile.Profile;
import org.stage.api.profile.ProfileStep;
import org.stage.api.profile.ProfiledDevice;
import org.stage.api.profile.TimeSpan;
import org.stage.plugin.kineto.format.Category;
import org.stage.plugin.kineto.format.Condition;
import org.stage.plugin.kineto.format.Links;
import org.stage.plugin.kineto.format.Metadata;
import org.stage.plugin.kineto.format.Trace;

/** Makes a profile from a trace. */
public final class ProfileMaker {
  /** Times that are larger count from 1970, smaller ones from a base that the file names. */
  private static final long SINCE_1970_NS = 100_000_000_000_000_000L;

  private final Trace trace;
  private final Path file;
  private final boolean clip;

  /**
   * Prepares a profile.
   *
   * @param trace the events
   * @param file where they come from
   * @param clip whether a kernel ends where the next of its stream begins
   */
  public ProfileMaker(Trace trace, Path file, boolean clip) {
    this.trace = trace;
    this.file = file;
    this.clip = clip;
  }

  /**
   * Makes it from calls without times.
   *
   * @param condition in what condition the file was
   */
  public Profile makeUntimed(Condition condition) {
    Profile timed = make(OptionalInt.empty()).profile();
    return new Profile(
        timed.source(),
        timed.device(),
        timed.rank(),
        TimeSpan.NONE,
        timed.steps().stream().map(step -> new ProfileStep(step.name(), 0, 0)).toList(),
        timed.operators(),
        Coverage.ofCalls(contents(condition)));
  }

  /** What was lost of a file in this condition. */
  public List<Diagnostic> lost(Condition condition, Coverage coverage) {
    Notes notes = new Notes(file.toString());
    notes.condition(condition, coverage);
    return notes.all();
  }

  /**
   * Makes it.
   *
   * @param given the rank that the user says; empty if it is to be found
   * @throws InputException if the durations together do not fit 63 bits of nanoseconds
   */
  public Imported make(OptionalInt given) {
    try {
      return profile(given);
    } catch (ArithmeticException e) {
      throw new InputException(
          file.toString(),
          "its durations together do not fit 63 bits of nanoseconds",
          "Record or copy the file again.");
    }
  }

  private Imported profile(OptionalInt given) {
    Links links = Links.of(trace);
    Names names = new Names(trace);
    Timeline timeline = new Timeline(trace, clip);
    Span span = Span.of(trace);
    long offset = span.endNs() < SINCE_1970_NS ? trace.metadata().baseNs() : 0;
    Steps steps = new Steps(trace, names, offset);
    OperatorRuns runs = new OperatorRuns(trace, links, names, steps, timeline, offset);
    List<MeasuredOperator> operators = runs.table().operators();
    Path name = file.getFileName();
    String fileName = name == null ? file.toString() : name.toString();
    Ranks ranks =
        given.isPresent() ? new Ranks(given, "the option rank", true) : Ranks.of(trace, fileName);
    Profile profile =
        new Profile(
            fileName,
            device(),
            ranks.rank(),
            span.isEmpty()
                ? TimeSpan.NONE
                : new TimeSpan(span.startNs() + offset, span.endNs() + offset),
            steps.all(),
            operators,
            coverage(links, timeline));
    return new Imported(profile, notes(profile, ranks, timeline, names, links).all());
  }

  private Notes notes(Profile profile, Ranks ranks, Timeline timeline, Names names, Links links) {
    Notes notes = new Notes(file.toString());
    notes.condition(trace.condition(), profile.coverage());
    notes.rejected(trace);
    notes.rank(ranks);
    notes.overlaps(timeline, clip);
    notes.repeated(trace.metadata().repeated());
    notes.contents(profile, trace.begins(), graphKernels(links));
    notes.missingCommunication(
        trace.metadata().worldSize() != 1 && callsCollectives(names),
        profile.operators().stream().anyMatch(each -> each.kind().isCommunication()));
    return notes;
  }

  /** How many kernels were launched as part of a graph. */
  private long graphKernels(Links links) {
    long kernels = 0;
    for (int device = 0; device < trace.devices(); device++) {
      int launch = links.launch(device);
      kernels += launch != Links.NONE && trace.isGraphLaunch(launch) ? 1 : 0;
    }
    return kernels;
  }

  private boolean callsCollectives(Names names) {
    for (int op = 0; op < trace.ops(); op++) {
      if (names.collective(trace.opName(op)) != null) {
        return trace.devices() > 0;
      }
    }
    return false;
  }

  /** From the first event to the last, by the clock of the trace. */
  private record Span(long startNs, long endNs) {
    static Span of(Trace trace) {
      long start = Long.MAX_VALUE;
      long end = Long.MIN_VALUE;
      for (int i = 0; i < trace.devices(); i++) {
        start = Math.min(start, trace.deviceStart(i));
        end = Math.max(end, trace.deviceStart(i) + trace.deviceDuration(i));
      }
      for (int i = 0; i < trace.ops(); i++) {
        start = Math.min(start, trace.opStart(i));
        end = Math.max(end, trace.opStart(i) + trace.opDuration(i));
      }
      return new Span(start, end);
    }

    boolean isEmpty() {
      return startNs > endNs;
    }
  }

  private ProfiledDevice device() {
    List<Metadata.Device> devices = trace.metadata().devices();
    String own = "";
    for (int i = 0; i < trace.devices() && own.isEmpty(); i++) {
      own = trace.process(trace.deviceLane(i));
    }
    Metadata.Device found = null;
    for (Metadata.Device each : devices) {
      // on AMD the number of an event's device is another one: any device is better than none
      if (found == null || Long.toString(each.id()).equals(own)) {
        found = each;
      }
    }
    return found == null
        ? ProfiledDevice.UNKNOWN
        : new ProfiledDevice(
            found.name(), found.memoryBytes(), found.multiprocessors(), found.capability());
  }

  private Coverage coverage(Links links, Timeline timeline) {
    long[] counts = new long[3];
    long[] sums = new long[3];
    long owned = 0;
    long orphans = 0;
    for (int device = 0; device < trace.devices(); device++) {
      int kind =
          switch (trace.deviceCategory(device)) {
            case KERNEL -> 0;
            case COPY -> 1;
            default -> 2;
          };
      counts[kind]++;
      sums[kind] = Math.addExact(sums[kind], timeline.duration(device));
      if (trace.deviceCategory(device) == Category.KERNEL) {
        int launch = links.launch(device);
        orphans += launch == Links.NONE ? 1 : 0;
        owned += launch != Links.NONE && links.owner(launch) != Links.NONE ? 1 : 0;
      }
    }
    return new Coverage(
        contents(trace.condition()),
        new Coverage.Timed(counts[0], sums[0]),
        new Coverage.Timed(counts[1], sums[1]),
        new Coverage.Timed(counts[2], sums[2]),
        new Coverage.Launches(owned, orphans),
        trace.rejections().values().stream().mapToLong(Long::longValue).sum());
  }

  private static Coverage.Contents contents(Condition condition) {
    return new Coverage.Contents(
        condition.events(), condition.damagedEvents(), condition.isTruncated());
  }
}
