package org.stage.plugin.kineto.format;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what is read of a file. */
final class WatchedStream extends FilterInputStream {
  private final TraceReader.Watch watch;
  private long count;

  WatchedStream(InputStream in, TraceReader.Watch watch) {
    super(in);
    this.watch = watch;
  }

  @Override
  public int read() throws IOException {
    int b = super.read();
    count += b < 0 ? 0 : 1;
    return b;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = super.read(bytes, offset, length);
    count += Math.max(0, read);
    watch.at(count);
    return read;
  }
}
