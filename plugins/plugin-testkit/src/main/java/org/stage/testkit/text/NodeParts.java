package org.stage.testkit.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.text.Cursor;
import org.stage.api.text.Words;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.Lane;
import org.stage.api.workload.Peer;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.TensorType;

/**
 * Reads types, groups, peers and lanes of nodes; {@link org.stage.api.text.ExecutionText} describes
 * the form.
 */
final class NodeParts {
  private NodeParts() {}

  static Lane lane(Cursor cursor, Lane usual) {
    return cursor.take("lane=") ? new Lane(Words.read(cursor, "a lane")) : usual;
  }

  static List<TensorType> tensorTypes(Cursor cursor, String key) {
    List<TensorType> types = new ArrayList<>();
    if (cursor.take(key)) {
      do {
        types.add(tensorType(cursor));
      } while (cursor.take(","));
    }
    return types;
  }

  /** Dimensions, then the type: {@code 4x128xbf16}. */
  static TensorType tensorType(Cursor cursor) {
    List<Long> dims = new ArrayList<>();
    while (cursor.seesDigit()) {
      dims.add(cursor.number());
      cursor.expect("x");
    }
    DataType type = Words.constant(cursor, "a data type", DataType.values(), DataType::text);
    return new TensorType(dims, type);
  }

  static DataType type(Cursor cursor) {
    cursor.expect("x");
    return Words.constant(cursor, "a data type", DataType.values(), DataType::text);
  }

  /** Along an axis, {@code pp:+1}, or in another job. */
  static Peer peer(Cursor cursor) {
    if (!cursor.take("job ")) {
      String axis = Words.read(cursor, "a mesh axis");
      cursor.expect(":");
      return new Peer.Along(axis, cursor.integer());
    }
    String job = Words.read(cursor, "the name of a job");
    Map<String, Peer.Coordinate> coordinates = new LinkedHashMap<>();
    cursor.expect("{");
    while (!cursor.take("}")) {
      if (!coordinates.isEmpty()) {
        cursor.expect(",");
      }
      String axis = Words.read(cursor, "a mesh axis");
      cursor.expect("=");
      coordinates.put(axis, coordinate(cursor));
    }
    return new Peer.OfJob(job, coordinates);
  }

  private static Peer.Coordinate coordinate(Cursor cursor) {
    String axis = Words.read(cursor, "a mesh axis");
    cursor.expect("*");
    int times = cursor.integer();
    cursor.expect("/");
    int over = cursor.integer();
    int plus = cursor.integer();
    return GraphParser.refusing(cursor, () -> new Peer.Coordinate(axis, times, over, plus));
  }

  static Group group(Cursor cursor) {
    String axis = Words.read(cursor, "a mesh axis");
    if (cursor.take("{")) {
      Ids coordinates = GraphParser.ids(cursor, "", Cursor::integer);
      cursor.expect("}");
      return GraphParser.refusing(
          cursor, () -> new Group.Members(axis, coordinates.stream().boxed().toList()));
    }
    List<SubAxis> parts = new ArrayList<>();
    parts.add(part(cursor, axis));
    while (cursor.take("+")) {
      parts.add(part(cursor, Words.read(cursor, "a mesh axis")));
    }
    return GraphParser.refusing(cursor, () -> new Group.Along(parts));
  }

  private static SubAxis part(Cursor cursor, String axis) {
    cursor.expect(":");
    int pre = 1;
    if (cursor.take("(")) {
      pre = cursor.integer();
      cursor.expect(")");
    }
    int outer = pre;
    int size = cursor.integer();
    return GraphParser.refusing(cursor, () -> new SubAxis(axis, outer, size));
  }
}
