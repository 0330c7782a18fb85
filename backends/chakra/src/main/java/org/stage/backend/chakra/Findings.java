package org.stage.backend.chakra;

import java.util.ArrayList;
import java.util.List;
import org.stage.api.diagnostic.Diagnostic;
import org.stage.api.diagnostic.Severity;
import org.stage.api.workload.RankClass;

/** What an export comes across that the user should know, told once and not once per node. */
final class Findings {
  /** Beyond it, ASTRA-sim's numbers of chunks leave 32 bits. */
  private static final int MANY_GROUPS = 2147;

  /** Genie's trace of a run holds that many ids. */
  private static final int MANY_NODES = 1 << 20;

  private final List<Diagnostic> notes = new ArrayList<>();
  private int roundedGathers;
  private String roundedExample = "";
  private int shortRoots;
  private String shortExample = "";
  private int longestGraph;
  private boolean kindOnTwoGroups;
  private boolean measured;
  private boolean memoryMoves;
  private boolean eightBits;

  void add(Severity severity, String message, String remedy) {
    notes.add(new Diagnostic(severity, "", message, remedy));
  }

  void roundedGather(String name, long bytes, long minimum) {
    if (roundedGathers++ == 0) {
      roundedExample = name + " of " + bytes + " to " + minimum + " bytes";
    }
  }

  /** The duration of a kernel is known better than by its costs. */
  void measured() {
    measured = true;
  }

  boolean hasMeasured() {
    return measured;
  }

  /** A product reads operands of 8 bits. */
  void eightBits() {
    eightBits = true;
  }

  /** Something moves to memory outside the device, or from there. */
  void memoryMoves() {
    memoryMoves = true;
  }

  boolean hasMemoryMoves() {
    return memoryMoves;
  }

  void shortRoot(String name) {
    if (shortRoots++ == 0) {
      shortExample = name;
    }
  }

  void slow(RankClass ranks) {
    add(
        Severity.NOTE,
        "ranks "
            + ranks.ranks()
            + " are slower by "
            + ranks.slowdown()
            + ": their num_ops and tensor_size are multiplied by it",
        "So the simulator's roofline takes as much longer; the work is that of the other ranks.");
  }

  void graph(int nodes) {
    longestGraph = Math.max(longestGraph, nodes);
  }

  void kindOnTwoGroups() {
    kindOnTwoGroups = true;
  }

  /** Whether some rank issues one kind of collective on two groups that do not hold all ranks. */
  boolean hasKindOnTwoGroups() {
    return kindOnTwoGroups;
  }

  /** What Chakra, or its simulator, cannot say. */
  List<Diagnostic> losses() {
    if (roundedGathers == 0) {
      return List.of();
    }
    return List.of(
        new Diagnostic(
            Severity.NOTE,
            "",
            roundedGathers + " all-gathers were rounded up, such as " + roundedExample,
            "ASTRA-sim never ends one that is smaller than its chunks are many."));
  }

  List<Diagnostic> notes(int groups) {
    if (shortRoots > 0) {
      add(
          Severity.WARNING,
          shortRoots
              + " compute nodes without dependencies last under 1 ns, such as "
              + shortExample,
          "ASTRA-sim aborts on such a start: give it a slower device, or leave them out.");
    }
    if (eightBits) {
      add(
          Severity.NOTE,
          "ASTRA-sim has one peak for all products, that of the activations' type",
          "Products of 8 bits take longer there than on a device that is faster with them.");
    }
    if (groups > MANY_GROUPS) {
      add(
          Severity.NOTE,
          groups + " groups: from id 2148 on, ASTRA-sim's numbers of chunks overflow 32 bits",
          "No run is known to have failed by that.");
    }
    if (longestGraph >= MANY_NODES) {
      add(
          Severity.WARNING,
          "a rank has " + longestGraph + " nodes",
          "ASTRA-sim takes about 1.3 kB for each; Genie's Chrome trace holds less than 2^20.");
    }
    return notes;
  }
}
