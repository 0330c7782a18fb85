package org.stage.plugin.kineto.format;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Makes a {@link Trace} of calls on the host that come from elsewhere, without times. */
public final class Calls {
  private final Trace trace = new Trace();
  private final Map<Signature, Integer> signatures = new HashMap<>();
  private final Map<Communication, Integer> communications = new HashMap<>();

  /**
   * Adds a call.
   *
   * @param name its name
   * @param thread its thread, as text
   * @param enter a number that grows with every call and return
   * @param leave the number of its return
   */
  public void add(
      String name, String thread, long enter, long leave, Signature inputs, Communication moved) {
    trace.opStart.add(enter);
    trace.opDuration.add(leave - enter);
    trace.opLane.add(trace.lanes.intern(word(""), word(thread)));
    byte[] bytes = name.replace("\\", "\\\\").getBytes(StandardCharsets.UTF_8);
    trace.opName.add(trace.names.intern(bytes, 0, bytes.length));
    trace.opSignature.add(signatures.computeIfAbsent(inputs, trace::addSignature));
    trace.opDetail.add(row(moved) << 3 | Category.OPERATOR.number());
    trace.opSequence.add(-1);
    trace.opFunction.add(0);
  }

  private int row(Communication moved) {
    if (moved.collective().isEmpty()) {
      return -1;
    }
    Integer number = communications.get(moved);
    if (number == null) {
      number = trace.communications.size();
      communications.put(moved, number);
      trace.communications.add(moved);
    }
    trace.communicationKind.add(number);
    trace.communicationSeq.add(-1);
    trace.communicator.add(0);
    return trace.communicationKind.size() - 1;
  }

  private int word(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return trace.words.intern(bytes, 0, bytes.length);
  }

  /** The trace, in this condition. */
  public Trace trace() {
    return trace;
  }
}
