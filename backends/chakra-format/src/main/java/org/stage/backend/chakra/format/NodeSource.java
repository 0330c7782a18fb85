package org.stage.backend.chakra.format;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.Node;

/** The trace of one rank, node by node, in whichever form it is written. */
public interface NodeSource extends Closeable {
  /**
   * Opens {@code file}: the JSON form if it is named so, else the binary one.
   *
   * @throws TraceFormatException if its beginning is not that of a trace
   */
  static NodeSource open(Path file) throws IOException {
    return TraceSet.isJson(file) ? new JsonTraceReader(file) : new TraceReader(file);
  }

  /** What is said of the whole rank. */
  GlobalMetadata metadata();

  /**
   * The next node, or null at the end.
   *
   * @throws TraceFormatException if the file is cut short, or what comes is no node
   */
  @Nullable Node next() throws IOException;
}
