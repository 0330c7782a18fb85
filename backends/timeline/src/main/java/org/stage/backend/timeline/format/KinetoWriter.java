package org.stage.backend.timeline.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * Writes what PyTorch's profiler, Kineto, writes of one rank: operators and launches on the host,
 * kernels on the device, tied by correlations. Times are given in nanoseconds and written in
 * microseconds with three decimals, as since PyTorch 2.4.
 */
public final class KinetoWriter implements AutoCloseable {
  /** The process and thread on the host, which a profile has one of at least. */
  private static final int HOST = 1000;

  private final JsonGenerator json;
  private long operators;

  /**
   * What the file says before its events.
   *
   * @param rank the rank
   * @param ranks how many there are
   * @param device name of the device; empty if not known
   * @param memoryBytes its memory; 0 if not known
   */
  public record Head(int rank, int ranks, String device, long memoryBytes) {}

  /** Creates {@code file}, compressed if {@code gzip}. */
  public KinetoWriter(Path file, boolean gzip, Head head) throws IOException {
    OutputStream raw = Files.newOutputStream(file);
    OutputStream out = gzip ? new GZIPOutputStream(raw, 1 << 16) : raw;
    json = new JsonFactory().createGenerator(out);
    json.setPrettyPrinter(new OneEventALine());
    json.writeStartObject();
    json.writeNumberField("schemaVersion", 1);
    json.writeFieldName("deviceProperties");
    json.writeStartArray();
    json.writeStartObject();
    json.writeNumberField("id", 0);
    json.writeStringField("name", head.device());
    json.writeNumberField("totalGlobalMem", head.memoryBytes());
    json.writeEndObject();
    json.writeEndArray();
    json.writeFieldName("distributedInfo");
    json.writeStartObject();
    json.writeStringField("backend", "nccl");
    json.writeNumberField("rank", head.rank());
    json.writeNumberField("world_size", head.ranks());
    json.writeEndObject();
    json.writeNumberField("record_shapes", 1);
    json.writeStringField("displayTimeUnit", "ms");
    json.writeNumberField("baseTimeNanoseconds", 0);
    json.writeArrayFieldStart("traceEvents");
  }

  /** A range that the program marks on the host, such as {@code ProfilerStep#0}. */
  public void annotation(String name, long from, long to) throws IOException {
    begin("user_annotation", name, HOST, HOST, from, to);
    end(Map.of());
  }

  /** A call of a module on the host, around the operators that it calls. */
  public void module(String name, long from, long to) throws IOException {
    begin("python_function", "nn.Module: " + name, HOST, HOST, from, to);
    end(Map.of());
  }

  /** An operator on the host, in the time of those around it. */
  public void operator(String name, long from, long to, Map<String, ?> arguments)
      throws IOException {
    begin("cpu_op", name, HOST, HOST, from, to);
    json.writeNumberField("External id", ++operators);
    end(arguments);
  }

  /** The call of the runtime that launches the kernel of the same correlation, above 0. */
  public void launch(long correlation, long from, long to) throws IOException {
    begin("cuda_runtime", "cudaLaunchKernel", HOST, HOST, from, to);
    json.writeNumberField("correlation", correlation);
    end(Map.of());
  }

  /** A kernel on a stream of the device. */
  public void kernel(
      String name, int stream, long correlation, long from, long to, Map<String, ?> arguments)
      throws IOException {
    begin("kernel", name, 0, stream, from, to);
    json.writeNumberField("device", 0);
    json.writeNumberField("stream", stream);
    json.writeNumberField("correlation", correlation);
    end(arguments);
  }

  private void begin(String category, String name, int pid, int tid, long from, long to)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", "X");
    json.writeStringField("cat", category);
    json.writeStringField("name", name);
    json.writeNumberField("pid", pid);
    json.writeNumberField("tid", tid);
    json.writeFieldName("ts");
    json.writeNumber(Microseconds.text(from));
    json.writeFieldName("dur");
    json.writeNumber(Microseconds.text(to - from));
    json.writeObjectFieldStart("args");
  }

  private void end(Map<String, ?> arguments) throws IOException {
    for (Map.Entry<String, ?> argument : arguments.entrySet()) {
      json.writeFieldName(argument.getKey());
      value(argument.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private void value(Object value) throws IOException {
    if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object each : list) {
        value(each);
      }
      json.writeEndArray();
    } else {
      json.writeObject(value);
    }
  }

  @Override
  public void close() throws IOException {
    try (json) {
      if (json.getOutputContext().inArray()) {
        json.writeEndArray();
        json.writeEndObject();
        json.writeRaw('\n');
      }
    }
  }
}
