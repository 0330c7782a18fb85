package org.stage.plugin.kineto;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.Runs;
import org.stage.api.profile.Transfer;
import org.stage.plugin.kineto.format.Communication;
import org.stage.plugin.kineto.format.Metadata;
import org.stage.plugin.kineto.format.Trace;

/** What is known of communication, from a kernel's own words or those of the operator around it. */
final class Collectives {
  private final Trace trace;
  private final Map<Communication, Transfer> transfers = new HashMap<>();

  Collectives(Trace trace) {
    this.trace = trace;
  }

  /**
   * What a kernel of a communication library does: as metadata say, else the operator around it,
   * else its name, which of transfers between pairs does not tell what they add up to.
   */
  Kind kind(int row, @Nullable Kind spoken, Kind named) {
    String collective = row < 0 ? "" : trace.communication(row).collective();
    if (!collective.isEmpty()) {
      Kind kind = KernelNames.collective(collective.toLowerCase(Locale.ROOT));
      if (kind != Kind.OTHER_COMMUNICATION) {
        return kind;
      }
    }
    boolean vague = named == Kind.SEND_RECV || named == Kind.OTHER_COMMUNICATION;
    return vague && spoken != null ? spoken : named;
  }

  Transfer transfer(int row) {
    return row < 0
        ? Transfer.NONE
        : transfers.computeIfAbsent(trace.communication(row), this::transfer);
  }

  String dataType(int row) {
    return row < 0 ? "" : ElementTypes.text(trace.communication(row).dataType());
  }

  private Transfer transfer(Communication what) {
    long elements = Math.max(0, what.inElements());
    long bytes = Math.multiplyExact(elements, ElementTypes.bytes(what.dataType()));
    return new Transfer(bytes, what.group().size(), what.group().name(), members(what));
  }

  /** Text in events is cut short; the list in the metadata is not. */
  private List<Integer> members(Communication what) {
    List<Integer> configured = trace.metadata().group(what.group().name());
    return configured.isEmpty() ? Metadata.ranksOf(what.group().ranks()) : configured;
  }

  /** The same number on all ranks for one collective. */
  long instance(int row) {
    if (row < 0 || trace.sequenceInGroup(row) < 0) {
      return Runs.NO_INSTANCE;
    }
    long communicator = trace.communicator(row);
    Communication what = trace.communication(row);
    if (communicator == 0 && what.group().name().isEmpty()) {
      return Runs.NO_INSTANCE;
    }
    long group =
        communicator != 0
            ? communicator
            : (what.group().name() + what.group().description() + what.group().ranks()).hashCode();
    long mixed = (group * 0x9E3779B97F4A7C15L) ^ (trace.sequenceInGroup(row) + 1);
    mixed *= 0xBF58476D1CE4E5B9L;
    mixed ^= mixed >>> 31;
    return mixed == Runs.NO_INSTANCE ? 1 : mixed;
  }
}
