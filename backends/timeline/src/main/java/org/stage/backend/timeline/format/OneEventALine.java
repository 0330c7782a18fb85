package org.stage.backend.timeline.format;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;

/** Breaks lines between the values of arrays: a million events on one line open in no editor. */
final class OneEventALine extends MinimalPrettyPrinter {
  private static final long serialVersionUID = 1L;

  private int depth;

  @Override
  public void writeStartArray(JsonGenerator out) throws IOException {
    super.writeStartArray(out);
    depth++;
  }

  @Override
  public void writeEndArray(JsonGenerator out, int values) throws IOException {
    super.writeEndArray(out, values);
    depth--;
  }

  @Override
  public void beforeArrayValues(JsonGenerator out) throws IOException {
    if (depth == 1) {
      out.writeRaw('\n');
    }
  }

  @Override
  public void writeArrayValueSeparator(JsonGenerator out) throws IOException {
    out.writeRaw(depth == 1 ? ",\n" : ", ");
  }
}
