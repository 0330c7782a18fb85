package org.stage.backend.chakra.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Set;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.stage.backend.chakra.format.proto.GlobalMetadata;
import org.stage.backend.chakra.format.proto.Node;

/**
 * Reads the JSON form of a trace: an array of nodes; an object that holds one; or objects one after
 * the other, as Chakra's jsonizer prints them. An object without an id is the metadata. Memory
 * stays at one node.
 */
final class JsonTraceReader implements NodeSource {
  private static final Set<String> LISTS = Set.of("nodes", "workload_graph", "node");

  private final Path file;
  private final JsonParser json;
  private GlobalMetadata metadata = GlobalMetadata.getDefaultInstance();
  private @Nullable Node first;
  private long start;

  JsonTraceReader(Path file) throws IOException {
    this.file = file;
    InputStream in = Inputs.open(file);
    try {
      this.json = new JsonFactory().createParser(in);
      this.first = read();
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  @Override
  public GlobalMetadata metadata() {
    return metadata;
  }

  @Override
  public @Nullable Node next() throws IOException {
    Node next = first;
    first = null;
    return next == null ? read() : next;
  }

  private @Nullable Node read() throws IOException {
    try {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.START_OBJECT) {
          Node node = object();
          if (node != null) {
            return node;
          }
        } else if (token != JsonToken.START_ARRAY
            && token != JsonToken.END_ARRAY
            && token != JsonToken.END_OBJECT) {
          throw fault("expected a node, found '" + json.getText() + "'", null);
        }
      }
      return null;
    } catch (JsonProcessingException e) {
      start = e.getLocation() == null ? start : Math.max(0, e.getLocation().getByteOffset());
      throw fault("not JSON: " + e.getOriginalMessage(), e);
    } catch (EOFException | ZipException e) {
      throw fault("the compressed data is damaged or cut short", e);
    }
  }

  /** The node that begins here; null if it is metadata, or the object around the nodes. */
  private @Nullable Node object() throws IOException {
    start = Math.max(0, json.currentTokenLocation().getByteOffset());
    JsonMessages messages = new JsonMessages(file, json);
    Node.Builder node = Node.newBuilder();
    boolean hasId = false;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (LISTS.contains(name) && value == JsonToken.START_ARRAY) {
        return null;
      }
      hasId |= JsonMessages.isId(name);
      messages.field(node, name);
    }
    if (hasId) {
      return node.build();
    }
    // version and attr have other numbers in the metadata, so what was read as a node is moved
    GlobalMetadata.Builder moved = GlobalMetadata.newBuilder().addAllAttr(node.getAttrList());
    metadata = moved.setVersion(messages.version()).build();
    return null;
  }

  private TraceFormatException fault(String problem, @Nullable Throwable cause) {
    return new TraceFormatException(file, start, problem, cause);
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
