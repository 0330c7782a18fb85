package org.stage.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the file of a rank by the wire format alone, sharing nothing with the product. */
final class TraceFile {
  static final int COMPUTE = 4;
  static final int SEND = 5;
  static final int RECV = 6;
  static final int COLLECTIVE = 7;

  private static final int NAME = 2;
  private static final int TYPE = 3;
  private static final int ATTRIBUTE = 10;

  private final ByteBuffer bytes;

  private TraceFile(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /**
   * A node.
   *
   * @param name of the node
   * @param type its number in the schema
   * @param numbers attributes that are integers
   * @param texts attributes that are texts
   */
  record Node(String name, int type, Map<String, Long> numbers, Map<String, String> texts) {
    long number(String attribute) {
      return numbers.getOrDefault(attribute, 0L);
    }
  }

  /** The nodes of {@code file}; the first message is the metadata. */
  static List<Node> read(Path file) throws IOException {
    TraceFile messages = new TraceFile(ByteBuffer.wrap(Files.readAllBytes(file)));
    messages.message();
    List<Node> nodes = new ArrayList<>();
    while (messages.bytes.hasRemaining()) {
      nodes.add(messages.message().node());
    }
    return nodes;
  }

  private Node node() {
    String name = "";
    int type = 0;
    Map<String, Long> numbers = new HashMap<>();
    Map<String, String> texts = new HashMap<>();
    while (bytes.hasRemaining()) {
      int key = (int) varint();
      if (key == (NAME << 3 | 2)) {
        name = text();
      } else if (key == TYPE << 3) {
        type = (int) varint();
      } else if (key == (ATTRIBUTE << 3 | 2)) {
        message().attribute(numbers, texts);
      } else {
        skip(key & 7);
      }
    }
    return new Node(name, type, numbers, texts);
  }

  private void attribute(Map<String, Long> numbers, Map<String, String> texts) {
    String name = "";
    while (bytes.hasRemaining()) {
      int key = (int) varint();
      if (key == (1 << 3 | 2)) {
        name = text();
      } else if ((key & 7) == 0) {
        numbers.put(name, varint());
      } else if ((key & 7) == 2) {
        texts.put(name, text());
      } else {
        skip(key & 7);
      }
    }
  }

  private TraceFile message() {
    int length = (int) varint();
    TraceFile inner = new TraceFile(bytes.slice(bytes.position(), length));
    bytes.position(bytes.position() + length);
    return inner;
  }

  private String text() {
    byte[] text = new byte[(int) varint()];
    bytes.get(text);
    return new String(text, UTF_8);
  }

  private void skip(int wireType) {
    switch (wireType) {
      case 0 -> varint();
      case 1 -> bytes.getLong();
      case 2 -> message();
      default -> bytes.getInt();
    }
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
