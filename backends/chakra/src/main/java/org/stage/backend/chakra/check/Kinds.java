package org.stage.backend.chakra.check;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.diagnostic.Faults;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.AttributeProto.ValueCase;

/** Counts attributes whose kind only the current feeder understands. */
final class Kinds {
  private static final Map<String, ValueCase> EXPECTED =
      Map.of(
          "num_ops", ValueCase.INT64_VAL,
          "tensor_size", ValueCase.UINT64_VAL,
          "comm_type", ValueCase.INT64_VAL,
          "comm_size", ValueCase.INT64_VAL,
          "comm_src", ValueCase.INT32_VAL,
          "comm_dst", ValueCase.INT32_VAL,
          "comm_tag", ValueCase.INT32_VAL,
          "comm_priority", ValueCase.INT32_VAL);

  private final Map<String, Integer> others = new TreeMap<>();

  void see(AttributeProto attribute) {
    ValueCase expected = EXPECTED.get(attribute.getName());
    if (expected != null && attribute.getValueCase() != expected) {
      String what =
          String.format(
              Locale.ROOT,
              "%s is %s instead of %s",
              attribute.getName(),
              text(attribute.getValueCase()),
              text(expected));
      others.merge(what, 1, Integer::sum);
    }
  }

  void report(Faults faults, String source) {
    others.forEach(
        (what, nodes) ->
            faults.warning(
                source,
                what + " in " + nodes + " nodes",
                "Feeders before August 2025 read that as 0; the current one takes it."));
  }

  static String text(ValueCase kind) {
    return kind.name().toLowerCase(java.util.Locale.ROOT).replace("_val", "");
  }
}
