package org.stage.backend.chakra.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Writes the files of ranks from templates, each with one write from one buffer. */
public final class TraceWriter {
  private final boolean gzip;
  private byte[] buffer = new byte[0];

  /** Writes raw files, or compressed ones. */
  public TraceWriter(boolean gzip) {
    this.gzip = gzip;
  }

  /**
   * Writes one rank.
   *
   * @param fills by slot of the template
   */
  public void write(Path file, TraceTemplate template, byte[][] fills) throws IOException {
    int size = template.size(fills);
    if (buffer.length < size) {
      buffer = new byte[size + size / 16];
    }
    template.write(fills, buffer);
    try (OutputStream raw = Files.newOutputStream(file);
        OutputStream out = gzip ? new GZIPOutputStream(raw, 1 << 16) : raw) {
      out.write(buffer, 0, size);
    }
  }
}
