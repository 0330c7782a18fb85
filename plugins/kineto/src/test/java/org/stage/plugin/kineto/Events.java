package org.stage.plugin.kineto;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Small profiles written for the tests. */
final class Events {
  /** How events are laid out in the file. */
  enum Layout {
    /** A key a line, as older versions of Kineto do. */
    PRETTY,
    /** An event a line. */
    LINES,
    /** All on one line. */
    DENSE
  }

  private Events() {}

  static String op(String name, long ts, long dur, String args) {
    return event("cpu_op", name, "1", "1", ts, dur, args);
  }

  static String annotation(String name, long ts, long dur) {
    return event("user_annotation", name, "1", "1", ts, dur, "\"x\": 1");
  }

  static String launch(long correlation, long ts) {
    return event(
        "cuda_runtime", "cudaLaunchKernel", "1", "1", ts, 2, "\"correlation\": " + correlation);
  }

  static String kernel(String name, long ts, long dur, long correlation, String args) {
    String all = "\"correlation\": " + correlation + (args.isEmpty() ? "" : ", " + args);
    return event("kernel", name, "0", "7", ts, dur, all);
  }

  static String event(
      String cat, String name, String pid, String tid, long ts, long dur, String args) {
    return String.format(
        Locale.ROOT,
        "{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %s, \"tid\": %s,"
            + " \"ts\": %d.%03d, \"dur\": %d.%03d, \"args\": {%s}}",
        cat,
        name,
        pid,
        tid,
        ts / 1000,
        ts % 1000,
        dur / 1000,
        dur % 1000,
        args);
  }

  /** Ten products with an operator, a launch and a kernel each, and events that do not matter. */
  static List<String> products() {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      long at = 1_000_000L + i * 100_000L;
      String dims = "\"Input Dims\": [[8, 16], [16, 32]], \"Input type\": [\"float\", \"float\"]";
      events.add(op("aten::mm", at, 50_000, dims));
      events.add(launch(i + 1, at + 10_000));
      events.add(
          "{\"ph\": \"s\", \"id\": 1, \"pid\": 1, \"tid\": 1, \"ts\": 1, \"cat\": \"ac2g\"}");
      events.add(kernel("gemm_kernel", at + 20_000, 1_001 + i, i + 1, "\"grid\": [1, 2, 3]"));
      events.add(
          event("python_function", "train.py(1): <lambda>", "1", "1", at, 9, "\"Python id\": 1"));
    }
    return events;
  }

  static String document(Layout layout, List<String> events) {
    return "{\"schemaVersion\": 1,\n\"traceEvents\": ["
        + joined(layout, events)
        + "],\n\"traceName\": \"trace.json\",\n\"distributedInfo\": {\"rank\": 3}\n}\n";
  }

  static String joined(Layout layout, List<String> events) {
    List<String> laidOut =
        events.stream()
            .map(
                each ->
                    layout == Layout.PRETTY
                        ? each.replaceFirst("^\\{", "{\n    ")
                            .replace(", \"ts\"", ",\n    \"ts\"")
                            .replace("\"args\": {", "\n    \"args\": {\n      ")
                        : each)
            .toList();
    return layout == Layout.DENSE
        ? String.join(",", laidOut)
        : "\n  " + String.join(",\n  ", laidOut) + "\n";
  }
}
