package org.stage.backend.simai.format;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.stage.backend.simai.format.Fault.Level;

/** Faults of one file; of each kind, the first few in full and the rest as a number. */
final class FileFaults {
  private static final int FEW = 5;

  private final List<Fault> faults = new ArrayList<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private final Map<String, Fault> last = new HashMap<>();

  /** Adds one; all with one {@code remedy} are of a kind. */
  void add(Level level, int line, String message, String remedy) {
    Fault fault = new Fault(level, line, message, remedy);
    last.put(remedy, fault);
    if (counts.merge(remedy, 1, Integer::sum) <= FEW) {
      faults.add(fault);
    }
  }

  void error(int line, String message, String remedy) {
    add(Level.ERROR, line, message, remedy);
  }

  void warning(int line, String message, String remedy) {
    add(Level.WARNING, line, message, remedy);
  }

  List<Fault> list() {
    List<Fault> all = new ArrayList<>(faults);
    for (Fault fault : faults) {
      int count = counts.getOrDefault(fault.remedy(), 0);
      if (count > FEW && counts.remove(fault.remedy()) != null) {
        Fault end = last.getOrDefault(fault.remedy(), fault);
        all.add(
            new Fault(
                end.level(),
                end.line(),
                end.message(),
                fault.remedy() + " The last of " + count + " such places."));
      }
    }
    return all;
  }
}
