package org.stage.plugin.kineto;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.workload.Phase;
import org.stage.plugin.kineto.format.Category;
import org.stage.plugin.kineto.format.Links;
import org.stage.plugin.kineto.format.Trace;

/** Looks from a launch outwards: which operator stands for it, in which phase and module. */
final class Context {
  private static final String MODULE_PREFIX = "nn.Module: ";

  private final Trace trace;
  private final Links links;
  private final Names names;
  private final Map<Integer, String> modules = new HashMap<>();
  private final SequenceTable modulesBySequence = new SequenceTable();

  /**
   * What is around a launch.
   *
   * @param op the operator that stands for it; {@link Links#NONE} if there is none
   * @param kind what that operator is, if its name tells
   * @param phase the phase, if anything tells
   * @param module where it was called; may be empty
   * @param communication the row of the innermost operator that says something of communication
   * @param collective the collective that the innermost name speaks of, or null
   */
  record Around(
      int op,
      Optional<Kind> kind,
      Optional<Phase> phase,
      String module,
      int communication,
      @Nullable Kind collective) {
    static final Around NOTHING =
        new Around(Links.NONE, Optional.empty(), Optional.empty(), "", -1, null);
  }

  Context(Trace trace, Links links, Names names) {
    this.trace = trace;
    this.links = links;
    this.names = names;
    if (hasModules()) {
      rememberForward();
    }
  }

  private boolean hasModules() {
    for (int name = 0; name < trace.names(); name++) {
      if (trace.name(name).startsWith(MODULE_PREFIX)) {
        return true;
      }
    }
    return false;
  }

  /** A backward operator knows the number of its forward operator, and that its module. */
  private void rememberForward() {
    for (int op = 0; op < trace.ops(); op++) {
      if (trace.opSequence(op) >= 0 && !names.isBackward(trace.opName(op))) {
        int module = module(op);
        if (module != Links.NONE) {
          modulesBySequence.put(trace.opSequence(op), module);
        }
      }
    }
  }

  private int module(int op) {
    int at = op;
    while (at != Links.NONE && trace.opCategory(at) != Category.MODULE) {
      at = links.parent(at);
    }
    return at;
  }

  /** What is around {@code inner}, itself included. */
  Around around(int inner) {
    int first = Links.NONE;
    int gemm = Links.NONE;
    int outer = Links.NONE;
    int communication = -1;
    int module = Links.NONE;
    int sequence = -1;
    @Nullable Kind collective = null;
    @Nullable Phase phase = null;
    boolean optimizer = false;
    boolean recorded = false;
    for (int op = inner; op != Links.NONE; op = links.parent(op)) {
      int name = trace.opName(op);
      Category category = trace.opCategory(op);
      if (category == Category.MODULE) {
        module = module == Links.NONE ? op : module;
        continue;
      }
      optimizer |= names.isOptimizer(name);
      collective = collective == null ? names.collective(name) : collective;
      communication = communication < 0 ? trace.opCommunication(op) : communication;
      if (phase == null && names.isBackward(name)) {
        boolean again = recorded || names.isRecompute(name);
        phase = again ? Phase.RECOMPUTE : Phase.BACKWARD;
        sequence = trace.opSequence(op);
      }
      // autograd numbers what it will differentiate: within backward, what runs again for it
      recorded |= category == Category.OPERATOR && trace.opSequence(op) >= 0;
      if (category == Category.OPERATOR) {
        first = first == Links.NONE ? op : first;
        boolean isGemm =
            names.operator(name).filter(Kind.GEMM::equals).isPresent()
                || (first == op && names.isWrapper(name));
        gemm = gemm == Links.NONE && isGemm ? op : gemm;
        outer = names.operator(name).isPresent() ? op : outer;
      }
    }
    if (first == Links.NONE && communication < 0 && collective == null && !optimizer) {
      return Around.NOTHING;
    }
    int stands = gemm != Links.NONE ? gemm : outer != Links.NONE ? outer : first;
    Phase told = optimizer ? Phase.OPTIMIZER : phase == null ? Phase.FORWARD : phase;
    Optional<Kind> kind = kind(stands, optimizer);
    int where = module == Links.NONE ? modulesBySequence.get(sequence) : module;
    return new Around(stands, kind, Optional.of(told), path(where), communication, collective);
  }

  private Optional<Kind> kind(int stands, boolean optimizer) {
    if (optimizer) {
      return Optional.of(Kind.OPTIMIZER);
    }
    if (stands == Links.NONE) {
      return Optional.empty();
    }
    int name = trace.opName(stands);
    return names.isWrapper(name) ? Optional.of(Kind.GEMM) : names.operator(name);
  }

  private String path(int module) {
    if (module == Links.NONE) {
      return "";
    }
    String known = modules.get(module);
    if (known == null) {
      String own = trace.name(trace.opName(module)).substring(MODULE_PREFIX.length());
      String outside = path(module(links.parent(module)));
      known = outside.isEmpty() ? own : outside + "." + own;
      modules.put(module, known);
    }
    return known;
  }
}
