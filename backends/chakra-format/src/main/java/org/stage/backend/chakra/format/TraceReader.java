package org.stage.backend.chakra.format;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.Node;

/**
 * Reads a trace file message by message, raw or gzip, told apart by content. Memory stays at one
 * message: a length is believed only as far as bytes follow.
 */
public final class TraceReader implements NodeSource {
  /** The longest message that is read; a real node has some hundred bytes. */
  public static final int MAX_MESSAGE = 16 << 20;

  /** A file that says one id again and again was made to fill a memory. */
  private static final int MAX_REPEATS = 1000;

  private final Path file;
  private final InputStream in;
  private final boolean gzip;
  private final GlobalMetadata metadata;
  private long offset;
  private long start;
  private long lastId;
  private int repeats;

  /**
   * Opens {@code file} and reads its first message.
   *
   * @throws TraceFormatException if it has none
   */
  public TraceReader(Path file) throws IOException {
    this.file = file;
    this.gzip = Inputs.isGzip(file);
    this.in = Inputs.open(file);
    try {
      GlobalMetadata first = read(GlobalMetadata.parser());
      if (first == null) {
        throw fault("the file is empty: it has no metadata message", null);
      }
      this.metadata = first;
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /** Whether the file is compressed. */
  public boolean gzip() {
    return gzip;
  }

  /** The first message. */
  @Override
  public GlobalMetadata metadata() {
    return metadata;
  }

  @Override
  public @Nullable Node next() throws IOException {
    Node node = read(Node.parser());
    if (node != null && offset == start + 1) {
      // a file of zeros would be a node for each of its bytes
      throw fault("a node of no bytes", null);
    }
    if (node != null) {
      repeats = node.getId() == lastId ? repeats + 1 : 0;
      lastId = node.getId();
      if (repeats > MAX_REPEATS) {
        String id = Long.toUnsignedString(lastId);
        throw fault("over " + MAX_REPEATS + " nodes with the id " + id + " in a row", null);
      }
    }
    return node;
  }

  private <T extends MessageLite> @Nullable T read(Parser<T> parser) throws IOException {
    start = offset;
    try {
      int length = readLength();
      if (length < 0) {
        return null;
      }
      byte[] message = in.readNBytes(length);
      offset += message.length;
      if (message.length < length) {
        throw fault(
            "a message of " + length + " bytes ends after " + message.length + " (cut short?)",
            null);
      }
      return parser.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      String expected = start == 0 ? "the metadata" : "a node";
      throw fault("expected " + expected + " of a Chakra trace: " + e.getMessage(), e);
    } catch (EOFException | ZipException e) {
      throw fault("the compressed data is damaged or cut short", e);
    }
  }

  /** The length before a message, or -1 at the end of the file. */
  private int readLength() throws IOException {
    long length = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = in.read();
      if (next < 0) {
        if (shift == 0) {
          return -1;
        }
        throw fault("the file ends within the length of a message (cut short?)", null);
      }
      offset++;
      length |= (next & 0x7FL) << shift;
      if (next < 0x80) {
        if (length > MAX_MESSAGE) {
          throw fault(
              "a message of " + length + " bytes is announced, over the limit of " + MAX_MESSAGE,
              null);
        }
        return (int) length;
      }
    }
    throw fault("the length of a message takes more than 5 bytes", null);
  }

  private TraceFormatException fault(String problem, @Nullable Throwable cause) {
    return new TraceFormatException(file, start, problem, cause);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
