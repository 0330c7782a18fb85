package org.stage.backend.chakra;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.stage.api.workload.Attribute;
import org.stage.backend.chakra.format.Attributes;
import org.stage.backend.chakra.format.proto.AttributeProto;
import org.stage.backend.chakra.format.proto.CollectiveCommType;
import org.stage.backend.chakra.format.proto.Node;
import org.stage.backend.chakra.read.PassedOn;

/**
 * Joins the attributes that follow from a node with those that are passed on. What a node says
 * decides; what its trace said in the same sense keeps its kind, as a reader may insist on it.
 */
final class Facts {
  private static final int SHARED = 1 << 14;

  private final boolean imported;
  private final Map<Attribute, AttributeProto> shared = new HashMap<>();

  /** For a workload that was read from Chakra: nothing is added that the trace did not say. */
  Facts(boolean imported) {
    this.imported = imported;
  }

  /** Adds them to {@code message}. */
  void add(Node.Builder message, List<Attribute> passedOn, List<AttributeProto> stated) {
    if (passedOn.isEmpty()) {
      stated.stream().filter(each -> !imported || !isDefault(each)).forEach(message::addAttr);
      return;
    }
    Map<String, AttributeProto> left = new HashMap<>();
    stated.forEach(each -> left.put(each.getName(), each));
    Set<String> seen = new HashSet<>();
    for (Attribute attribute : passedOn) {
      if (attribute.type().equals(PassedOn.IO_INFO)) {
        addInfo(message, attribute);
        continue;
      }
      AttributeProto proto = proto(attribute);
      // of two attributes of one name, readers take the first
      AttributeProto says = seen.add(proto.getName()) ? left.remove(proto.getName()) : null;
      message.addAttr(says == null || agree(says, proto) ? proto : says);
    }
    stated.stream()
        .filter(each -> left.containsKey(each.getName()))
        .filter(each -> !imported || !isDefault(each))
        .forEach(message::addAttr);
  }

  private static void addInfo(Node.Builder message, Attribute attribute) {
    if (attribute.name().equals("inputs")) {
      message.setInputs(PassedOn.ioInfo(attribute));
    } else {
      message.setOutputs(PassedOn.ioInfo(attribute));
    }
  }

  private AttributeProto proto(Attribute attribute) {
    return shared.size() < SHARED
        ? shared.computeIfAbsent(attribute, PassedOn::proto)
        : shared.getOrDefault(attribute, PassedOn.proto(attribute));
  }

  private static boolean isDefault(AttributeProto attribute) {
    return Attributes.integer(attribute).orElse(1) == 0;
  }

  private static boolean agree(AttributeProto says, AttributeProto proto) {
    OptionalLong one = Attributes.integer(says);
    OptionalLong other = Attributes.integer(proto);
    return one.isEmpty()
        ? says.equals(proto)
        : other.isPresent() && (one.equals(other) || areScatters(says, one, other));
  }

  /** Chakra has two words for a reduce-scatter. */
  private static boolean areScatters(AttributeProto says, OptionalLong one, OptionalLong other) {
    return says.getName().equals("comm_type")
        && one.getAsLong() == CollectiveCommType.REDUCE_SCATTER_VALUE
        && other.getAsLong() == CollectiveCommType.REDUCE_SCATTER_BLOCK_VALUE;
  }
}
