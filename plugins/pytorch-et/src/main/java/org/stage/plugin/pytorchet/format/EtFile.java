package org.stage.plugin.pytorchet.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.stage.plugin.kineto.format.Condition;
import org.stage.plugin.kineto.format.Records;
import org.stage.plugin.kineto.format.TraceFormatException;
import org.stage.plugin.kineto.format.TraceReader;

/**
 * An execution trace.
 *
 * @param schema its schema, as it says
 * @param nodes its calls, in the order in which they began
 * @param condition in what condition the file was
 */
public record EtFile(String schema, List<EtNode> nodes, Condition condition) {
  private static final Set<String> KNOWN =
      Set.of("1.0.1", "1.0.2", "1.0.3", "1.0.4", "1.1.0", "1.1.1");

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read
   * @throws TraceFormatException if it is no execution trace
   */
  public static EtFile read(Path file, TraceReader.Watch watch)
      throws IOException, TraceFormatException {
    List<EtNode> nodes = new ArrayList<>();
    String[] schema = {""};
    Records.Sink sink =
        new Records.Sink() {
          @Override
          public void record(Map<?, ?> record) {
            nodes.add(NodeReader.node(record));
          }

          @Override
          public void value(String key, Object value) {
            if (value instanceof String text) {
              schema[0] = text;
            }
          }
        };
    Condition condition = Records.read(file, "nodes", Set.of("schema"), sink, watch);
    nodes.sort(Comparator.comparingLong(EtNode::id));
    return new EtFile(schema[0], nodes, condition);
  }

  /** Whether this schema is one of those that are known. */
  public boolean isKnown() {
    int dash = schema.indexOf('-');
    boolean newer = schema.endsWith("-chakra.1.0.0");
    return !newer && KNOWN.contains(dash < 0 ? schema : schema.substring(0, dash));
  }
}
