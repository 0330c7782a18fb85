package org.stage.backend.chakra.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.diagnostic.Counted;
import org.stage.api.diagnostic.Diagnostic;

/** What of a trace set a workload cannot hold, told once and not once per node. */
final class Losses {
  /** Names of things in a file are told of so many. */
  private static final int TOLD = 20;

  private final Map<String, Integer> passedOn = new TreeMap<>();
  private final Map<String, String> examples = new TreeMap<>();
  private final Map<String, Integer> otherGroups = new TreeMap<>();
  private long dangling;
  private long docStrings;
  private long unknownFields;

  void passedOn(String name, int type, String lacks) {
    String what = "of type " + type + " without " + lacks;
    passedOn.merge(what, 1, Integer::sum);
    examples.putIfAbsent(what, At.shown(name));
  }

  void otherGroup(String name, int rank) {
    if (otherGroups.size() < TOLD) {
      otherGroups.putIfAbsent(name, rank);
    }
  }

  void dangling(int dependencies) {
    dangling += dependencies;
  }

  void docString(boolean there) {
    docStrings += there ? 1 : 0;
  }

  void unknownFields(boolean there) {
    unknownFields += there ? 1 : 0;
  }

  List<Diagnostic> list(String source) {
    List<Diagnostic> list = new ArrayList<>();
    passedOn.forEach(
        (what, count) ->
            list.add(
                Diagnostic.warning(
                    source,
                    Counted.of(count, "node") + " " + what + ", such as " + examples.get(what),
                    "They do nothing; only Chakra gets them again as they are.")));
    otherGroups.forEach(
        (name, rank) ->
            list.add(
                Diagnostic.warning(
                    source,
                    "rank " + rank + " gives group " + At.shown(name) + " other members",
                    "The first ones count.")));
    add(list, source, dangling, "dependencies on nodes that are not there", "They were dropped.");
    add(list, source, docStrings, "doc strings of attributes", "They were dropped.");
    add(
        list,
        source,
        unknownFields,
        "messages with fields that Chakra 0.0.4 does not have",
        "Those fields were dropped.");
    return list;
  }

  private static void add(
      List<Diagnostic> list, String source, long count, String what, String remedy) {
    if (count > 0) {
      list.add(Diagnostic.warning(source, count + " " + what, remedy));
    }
  }
}
