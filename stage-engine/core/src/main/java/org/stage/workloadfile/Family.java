package org.stage.workloadfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.stage.workloadfile.SourceNode.Fields;
import org.stage.workloadfile.SourceNode.Items;

/**
 * A family of models: what its file in {@code families/} says, completed by that of the family that
 * it is like. What the sections mean is told in {@code families/decoder.yaml}.
 *
 * @param name the word in a workload file
 * @param sections by name
 */
record Family(String name, Fields sections) {
  /** The family that tells what is needed of a model whose family is not known. */
  static final String COMMON = "decoder";

  /** Sections of which a family says entry by entry what differs. */
  private static final List<String> MERGED = List.of("required", "defaults", "sizes", "features");

  /**
   * What holds under a condition.
   *
   * @param when the condition; empty if it always holds
   * @param is what then holds
   */
  record Case(SourceNode when, SourceNode is) {}

  /** The family {@code name}, whose file must exist. */
  static Family of(String name) {
    Fields own = Resources.map("/families/" + name + ".yaml");
    Fields sections = own;
    if (own.get("like") instanceof SourceNode.Scalar like) {
      Fields common = of(like.raw()).sections;
      sections = common.overlaid(own);
      for (String section : MERGED) {
        if (common.get(section) instanceof Fields usual && own.get(section) instanceof Fields its) {
          sections = sections.with(section, usual.overlaid(its));
        }
      }
    }
    return new Family(name, sections);
  }

  /** The entries of a section that is a map, in order. */
  Map<String, SourceNode> entries(String section) {
    return sections.get(section) instanceof Fields fields ? fields.fields() : Map.of();
  }

  /** What a section that is one entry says in its cases. */
  List<Case> cases(String section) {
    return cases(sections.get(section));
  }

  /** What an entry of a section says in its cases, of which the first holds; none without it. */
  List<Case> cases(String section, String entry) {
    return cases(entries(section).get(entry));
  }

  private static List<Case> cases(@Nullable SourceNode node) {
    List<Case> cases = new ArrayList<>();
    if (node instanceof Items items) {
      for (SourceNode item : items.items()) {
        Fields each = (Fields) item;
        cases.add(new Case(when(each), needed(each, "is")));
      }
    } else if (node != null) {
      cases.add(new Case(new Fields(node.origin(), Map.of()), node));
    }
    return cases;
  }

  /** The maps of a section that is a list. */
  List<Fields> maps(String section) {
    return sections.get(section) instanceof Items items
        ? items.items().stream().map(Fields.class::cast).toList()
        : List.of();
  }

  /** The condition of an item; an empty one if it has none. */
  static SourceNode when(Fields item) {
    return Optional.ofNullable(item.get("when")).orElse(new Fields(item.origin(), Map.of()));
  }

  /** The value of a key that an item must have. */
  static SourceNode needed(Fields item, String key) {
    SourceNode value = item.get(key);
    if (value == null) {
      throw new IllegalStateException(item.origin().within() + " lacks " + key);
    }
    return value;
  }
}
