package org.stage.plugin.kineto.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Puts the events that matter into the columns of a {@link Trace}. */
final class TraceBuilder implements DocumentReader.Sink {
  private static final byte[] MODULE_PREFIX = "nn.Module: ".getBytes(StandardCharsets.UTF_8);
  private static final long MOST = 1L << 61;

  private final Trace trace = new Trace();
  private final Interner categories = new Interner();
  private final List<Category> byCategory = new ArrayList<>();
  private final Interner calls = new Interner();
  private final List<Boolean> graphCalls = new ArrayList<>();
  private final Interner raw = new Interner("");
  private final PairTable inputs = new PairTable();
  private final Map<Long, Integer> signatures = new HashMap<>();
  private final Communications communications = new Communications(trace);

  Trace trace() {
    return trace;
  }

  @Override
  public void metadata(String key, Object value) {
    trace.metadata.put(key, value);
  }

  @Override
  public void event(Event event) {
    if (!event.is(Key.PH, 'X') || !event.has(Key.CAT)) {
      trace.begins += event.is(Key.PH, 'B') ? 1 : 0;
      return;
    }
    Category category = category(event);
    switch (category) {
      case KERNEL, COPY, FILL -> device(event, category);
      case LAUNCH -> launch(event);
      case OPERATOR, ANNOTATION -> op(event, category);
      case MODULE -> {
        if (isModule(event)) {
          op(event, category);
        }
      }
      case OTHER -> {}
    }
  }

  private Category category(Event event) {
    int number = event.intern(Key.CAT, categories);
    while (byCategory.size() < categories.size()) {
      byCategory.add(Category.of(categories.get(byCategory.size())));
    }
    return byCategory.get(number);
  }

  private static boolean isModule(Event event) {
    if (!event.has(Key.NAME)) {
      return false;
    }
    int start = event.starts[Key.NAME.number()];
    if (event.ends[Key.NAME.number()] - start < MODULE_PREFIX.length) {
      return false;
    }
    for (int i = 0; i < MODULE_PREFIX.length; i++) {
      if (event.bytes[start + i] != MODULE_PREFIX[i]) {
        return false;
      }
    }
    return true;
  }

  private void device(Event event, Category category) {
    long start = event.time(Key.TS);
    long duration = event.time(Key.DUR);
    if (start == Numbers.NONE || duration <= 0) {
      Trace.Rejection reason =
          start == Numbers.NONE
              ? Trace.Rejection.NO_START
              : duration == Numbers.NONE
                  ? Trace.Rejection.MISSING
                  : duration < 0 ? Trace.Rejection.NEGATIVE : Trace.Rejection.ZERO;
      trace.reject(reason, event.bits(Key.CORRELATION));
    } else {
      trace.deviceStart.add(start);
      trace.deviceDuration.add(duration);
      trace.deviceCorrelation.add(event.bits(Key.CORRELATION));
      trace.deviceLane.add(lane(event));
      trace.deviceName.add(name(event));
      int row = category == Category.KERNEL ? communications.row(event) : copy(event);
      trace.deviceDetail.add(row << 3 | category.number());
    }
  }

  private int copy(Event event) {
    trace.copyBytes.add(event.integer(Key.BYTES, MOST, 0));
    return trace.copyBytes.size() - 1;
  }

  private void launch(Event event) {
    long correlation = event.bits(Key.CORRELATION);
    long start = event.time(Key.TS);
    if (correlation != 0 && start != Numbers.NONE) {
      trace.launchCorrelation.add(correlation);
      trace.launchTime.add(start);
      trace.launchLane.add(lane(event));
      if (launchesGraph(event)) {
        trace.graphLaunches.set(trace.launchTime.size() - 1);
      }
    }
  }

  /** {@code cudaGraphLaunch}, {@code hipGraphLaunch} and their kin. */
  private boolean launchesGraph(Event event) {
    int number = event.intern(Key.NAME, calls);
    while (graphCalls.size() <= number) {
      byte[] name = calls.get(graphCalls.size());
      graphCalls.add(new String(name, StandardCharsets.UTF_8).contains("GraphLaunch"));
    }
    return number >= 0 && graphCalls.get(number);
  }

  private void op(Event event, Category category) {
    long start = event.time(Key.TS);
    long duration = event.time(Key.DUR);
    if (start == Numbers.NONE || duration < 0) {
      return;
    }
    int row = communications.row(event);
    int name = name(event);
    trace.opStart.add(start);
    trace.opDuration.add(duration);
    trace.opLane.add(lane(event));
    trace.opName.add(name);
    trace.opSignature.add(signature(event, name));
    trace.opDetail.add(row << 3 | category.number());
    trace.opSequence.add((int) event.integer(Key.SEQUENCE, Integer.MAX_VALUE, -1));
    trace.opFunction.add((int) event.integer(Key.FUNCTION, Integer.MAX_VALUE, 0));
  }

  private int name(Event event) {
    int number = event.intern(Key.NAME, trace.names);
    return number >= 0 ? number : trace.names.intern(new byte[0], 0, 0);
  }

  private int lane(Event event) {
    return trace.lanes.intern(word(event, Key.PID), word(event, Key.TID));
  }

  private int word(Event event, Key key) {
    int number = event.intern(key, trace.words);
    return number >= 0 ? number : trace.words.intern(new byte[0], 0, 0);
  }

  private int signature(Event event, int name) {
    int dims = Math.max(0, event.intern(event.has(Key.DIMS) ? Key.DIMS : Key.OLD_DIMS, raw));
    int types = Math.max(0, event.intern(Key.TYPES, raw));
    int values =
        event.has(Key.CONCRETE) && isAttention(name)
            ? Math.max(0, event.intern(Key.CONCRETE, raw))
            : 0;
    long pair = ((long) inputs.intern(dims, types) << 32) | values;
    Integer known = signatures.get(pair);
    if (known == null) {
      known = trace.signatures.size();
      signatures.put(pair, known);
      trace.signatures.add(new Signature(text(dims), text(types), text(values)));
    }
    return known;
  }

  private boolean isAttention(int name) {
    String text = trace.name(name);
    return text.contains("attention") || text.contains("flash");
  }

  private String text(int number) {
    byte[] bytes = raw.get(number);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
