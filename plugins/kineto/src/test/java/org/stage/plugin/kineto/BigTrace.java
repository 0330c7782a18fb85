package org.stage.plugin.kineto;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * Writes profiles of any size, with events in the proportions of real ones: for each kernel an
 * operator around another, a launch, its two ends of a flow, and a Python function.
 *
 * <p>As a program: {@code BigTrace FILE UNITS}, of seven events each; compressed if the name ends
 * in {@code .gz}.
 */
final class BigTrace {
  /** Events a unit. */
  static final int EVENTS = 7;

  /** Of them those that a reader keeps: two operators, a launch, a kernel. */
  static final int KEPT = 4;

  private static final String KERNEL =
      "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>,"
          + " std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>,"
          + " std::array<char*, 3ul>)";

  private BigTrace() {}

  /** Writes a profile. */
  public static void main(String[] args) throws IOException {
    write(Path.of(args[0]), Long.parseLong(args[1]));
  }

  static void write(Path file, long units) throws IOException {
    OutputStream raw = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20);
    try (OutputStream out =
        file.toString().endsWith(".gz") ? new GZIPOutputStream(raw, 1 << 16) : raw) {
      print(out, "{\n  \"schemaVersion\": 1,\n  \"traceEvents\": [\n");
      StringBuilder text = new StringBuilder();
      for (long unit = 0; unit < units; unit++) {
        unit(text, unit);
        text.append(unit + 1 < units ? ",\n" : "\n");
        if (text.length() > 1 << 18) {
          print(out, text.toString());
          text.setLength(0);
        }
      }
      print(out, text + "  ],\n  \"traceName\": \"big.json\"\n}\n");
    }
  }

  private static void print(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void unit(StringBuilder text, long unit) {
    long at = 4_000_000_000L + unit * 60;
    long size = 128 + unit % 50;
    op(text, "aten::linear", at, 40, size, unit);
    op(text, "aten::mm", at + 5, 30, size, unit + 1);
    text.append(
        "  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\",");
    where(text, "70001", "70001", at + 10, "6.250");
    text.append("      \"External id\": ")
        .append(unit)
        .append(", \"cbid\": 211, \"correlation\": ");
    text.append(unit + 1).append("\n    }\n  },\n");
    flow(text, "s", unit, at + 10);
    text.append("  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"").append(KERNEL);
    text.append("\",");
    where(text, "0", "7", at + 20, "12.125");
    text.append("      \"External id\": ").append(unit);
    text.append(", \"queued\": 0, \"device\": 0, \"context\": 1,\n      \"stream\": 7,");
    text.append(" \"correlation\": ").append(unit + 1);
    text.append(",\n      \"registers per thread\": 32, \"shared memory\": 0,");
    text.append("\n      \"grid\": [").append(size).append(", 1, 1],");
    text.append("\n      \"block\": [128, 1, 1]\n    }\n  },\n");
    flow(text, "f", unit, at + 20);
    text.append("  {\n    \"ph\": \"X\", \"cat\": \"python_function\",");
    text.append(" \"name\": \"torch/nn/modules/linear.py(116): forward\",");
    where(text, "70001", "70001", at, "45.000");
    text.append("      \"Python id\": ")
        .append(unit)
        .append(", \"Python parent id\": 1\n    }\n  }");
  }

  private static void op(StringBuilder text, String name, long at, long dur, long size, long unit) {
    text.append("  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"").append(name);
    text.append("\",");
    where(text, "70001", "70001", at, dur + ".500");
    text.append("      \"External id\": ").append(unit).append(",\"Record function id\": 0,");
    text.append(" \"Concrete Inputs\": [\"\", \"\"], \"Input type\": [\"c10::BFloat16\", ");
    text.append("\"c10::BFloat16\"], \"Input Strides\": [[512, 1], [1, 512]], \"Input Dims\": [[");
    text.append(size).append(", 512], [512, 512]], \"Ev Idx\": ").append(unit);
    text.append("\n    }\n  },\n");
  }

  private static void where(StringBuilder text, String pid, String tid, long at, String dur) {
    text.append(" \"pid\": ").append(pid).append(", \"tid\": ").append(tid);
    text.append(",\n    \"ts\": ").append(at).append(".125, \"dur\": ").append(dur);
    text.append(",\n    \"args\": {\n");
  }

  private static void flow(StringBuilder text, String phase, long unit, long at) {
    text.append("  {\n    \"ph\": \"").append(phase).append("\", \"id\": ").append(unit + 1);
    text.append(", \"pid\": 70001, \"tid\": 70001, \"ts\": ").append(at);
    text.append(".125,\n    \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"\n  },\n");
  }
}
