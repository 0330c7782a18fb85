package org.stage.plugin.kineto;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.stage.api.profile.MeasuredOperator.Kind;
import org.stage.api.profile.OperatorShape;
import org.stage.api.profile.OperatorWork;
import org.stage.api.profile.Runs;
import org.stage.api.profile.Transfer;
import org.stage.plugin.kineto.Context.Around;
import org.stage.plugin.kineto.format.Category;
import org.stage.plugin.kineto.format.Links;
import org.stage.plugin.kineto.format.Trace;

/** Makes runs of operators from the events of a trace. */
final class OperatorRuns {
  private final Trace trace;
  private final Links links;
  private final Names names;
  private final Context context;
  private final Collectives collectives;
  private final Steps steps;
  private final Timeline timeline;
  private final long offset;
  private final RunTable table = new RunTable();
  private final BitSet timedOps = new BitSet();
  private final Map<FactsKey, OpFacts> facts = new HashMap<>();

  private record FactsKey(int name, int signature, Kind kind) {}

  private record OpFacts(OperatorShape shape, String dataType) {}

  /** A run of an operator that is being put together from its kernels. */
  private static final class Open {
    private long endNs;
    private long sumNs;
    private long longestNs;
    private int lane;
    private boolean severalLanes;
    private long unionNs;
    private Kind kernelKind = Kind.ELEMENTWISE;
  }

  OperatorRuns(Trace trace, Links links, Names names, Steps steps, Timeline timeline, long offset) {
    this.trace = trace;
    this.links = links;
    this.names = names;
    this.context = new Context(trace, links, names);
    this.collectives = new Collectives(trace);
    this.steps = steps;
    this.timeline = timeline;
    this.offset = offset;
  }

  RunTable table() {
    int[] order = timeline.order();
    // kernels of one operator stand together, in order of time
    int[] anchors = new int[trace.devices()];
    for (int device : order) {
      anchors[device] = anchor(device);
    }
    int[] byOperator = byAnchor(order, anchors);
    Runner runner = new Runner(anchors);
    for (int device : byOperator) {
      runner.add(device);
    }
    runner.finish();
    untimed();
    return table;
  }

  /** The operator whose run a kernel belongs to; none for communication, copies and fills. */
  private int anchor(int device) {
    if (trace.deviceCategory(device) != Category.KERNEL || isCommunication(device)) {
      return Links.NONE;
    }
    return around(device).op();
  }

  private boolean isCommunication(int device) {
    int name = trace.deviceName(device);
    return names.isLibrary(name)
        || names.kernel(name).isCommunication()
        || trace.deviceCommunication(device) >= 0;
  }

  private Around around(int device) {
    int launch = links.launch(device);
    int inner = launch == Links.NONE ? Links.NONE : links.around(launch);
    return inner == Links.NONE ? Around.NOTHING : context.around(inner);
  }

  /**
   * Runs in order of their first kernels: the place of an operator is that of its first kernel, and
   * its other kernels follow at once.
   */
  private int[] byAnchor(int[] order, int[] anchors) {
    int[] next = new int[order.length];
    Arrays.fill(next, -1);
    int[] lastOf = new int[trace.ops()];
    Arrays.fill(lastOf, -1);
    BitSet followers = new BitSet();
    for (int device : order) {
      int anchor = anchors[device];
      if (anchor != Links.NONE) {
        if (lastOf[anchor] >= 0) {
          next[lastOf[anchor]] = device;
          followers.set(device);
        }
        lastOf[anchor] = device;
      }
    }
    int[] result = new int[order.length];
    int size = 0;
    for (int device : order) {
      if (!followers.get(device)) {
        for (int each = device; each >= 0; each = next[each]) {
          result[size++] = each;
        }
      }
    }
    return result;
  }

  /** Puts kernels together to runs. */
  private final class Runner {
    private final int[] anchors;
    private int anchor = Links.NONE;
    private int firstDevice = -1;
    private Open open = new Open();

    Runner(int[] anchors) {
      this.anchors = anchors;
    }

    void add(int device) {
      int of = anchors[device];
      if (of == Links.NONE || of != anchor) {
        finish();
      }
      if (of == Links.NONE) {
        single(device);
      } else {
        if (anchor == Links.NONE) {
          anchor = of;
          firstDevice = device;
          open = new Open();
        }
        extend(device);
      }
    }

    private void extend(int device) {
      long start = trace.deviceStart(device);
      long duration = timeline.duration(device);
      if (open.sumNs == 0) {
        open.endNs = start;
        open.lane = trace.deviceLane(device);
      }
      open.severalLanes |= trace.deviceLane(device) != open.lane;
      open.sumNs = Math.addExact(open.sumNs, duration);
      open.unionNs += Math.max(0, start + duration - Math.max(start, open.endNs));
      open.endNs = Math.max(open.endNs, start + duration);
      if (duration > open.longestNs) {
        open.longestNs = duration;
        open.kernelKind = names.kernel(trace.deviceName(device));
      }
    }

    private void finish() {
      if (anchor != Links.NONE) {
        timedOps.set(anchor);
        long duration = open.severalLanes ? open.unionNs : open.sumNs;
        OperatorWork key = key(around(firstDevice), open.kernelKind);
        put(key, firstDevice, duration, Runs.NO_INSTANCE);
        anchor = Links.NONE;
      }
    }
  }

  private void put(OperatorWork key, int device, long duration, long instance) {
    int launch = links.launch(device);
    long start = trace.deviceStart(device);
    int step = steps.at(launch == Links.NONE ? start : links.launchTime(launch));
    table.timed(key, start + offset, duration, step, instance);
  }

  private OperatorWork key(Around around, Kind kernelKind) {
    int op = around.op();
    String name = names.text(trace.opName(op));
    Kind kind = around.kind().orElse(kernelKind);
    OpFacts of = facts(op, kind, name);
    return new OperatorWork(
        kind, name, around.module(), around.phase(), of.shape(), of.dataType(), Transfer.NONE);
  }

  private OpFacts facts(int op, Kind kind, String name) {
    FactsKey key = new FactsKey(trace.opName(op), trace.opSignature(op), kind);
    OpFacts known = facts.get(key);
    if (known == null) {
      Inputs inputs = Inputs.of(trace.signature(trace.opSignature(op)));
      String type = kind == Kind.GEMM ? inputs.type(Shapes.firstFactor(name)) : inputs.firstType();
      known = new OpFacts(Shapes.of(kind, name, inputs), ElementTypes.text(type));
      facts.put(key, known);
    }
    return known;
  }

  /** A kernel that is a run by itself. */
  private void single(int device) {
    int name = trace.deviceName(device);
    Category category = trace.deviceCategory(device);
    Around around = around(device);
    if (category != Category.KERNEL) {
      Kind kind = category == Category.COPY ? Kind.COPY : Kind.FILL;
      Transfer transfer = Transfer.ofCopy(trace.deviceBytes(device));
      put(key(kind, name, around, "", transfer), device, Runs.NO_INSTANCE);
    } else if (isCommunication(device)) {
      int own = trace.deviceCommunication(device);
      int row = own >= 0 ? own : around.communication();
      Kind named = names.kernel(name);
      Kind kind =
          named == Kind.CUSTOM_COMMUNICATION
              ? named
              : collectives.kind(row, around.collective(), named);
      Transfer transfer = collectives.transfer(row);
      OperatorWork key = key(kind, name, around, collectives.dataType(row), transfer);
      put(key, device, collectives.instance(row));
    } else {
      put(key(names.kernel(name), name, around, "", Transfer.NONE), device, Runs.NO_INSTANCE);
    }
  }

  private void put(OperatorWork key, int device, long instance) {
    put(key, device, timeline.duration(device), instance);
  }

  private OperatorWork key(Kind kind, int name, Around around, String dataType, Transfer transfer) {
    return new OperatorWork(
        kind,
        names.text(name),
        around.module(),
        around.phase(),
        OperatorShape.UNKNOWN,
        dataType,
        transfer);
  }

  /** Products and attention that ran elsewhere than on a device, or outside of the window. */
  private void untimed() {
    BitSet rejected = links.rejected();
    for (int op = 0; op < trace.ops(); op++) {
      Optional<Kind> kind =
          trace.opCategory(op) == Category.OPERATOR
              ? names.operator(trace.opName(op))
              : Optional.empty();
      boolean counts = kind.filter(k -> k == Kind.GEMM || k == Kind.ATTENTION).isPresent();
      if (counts && !timedOps.get(op) && !rejected.get(op)) {
        Around around = context.around(op);
        if (around.op() == op) {
          table.untimed(key(around, kind.orElseThrow()));
        }
      }
      if (trace.devices() == 0 && trace.opCommunication(op) >= 0) {
        untimedCommunication(op);
      }
    }
  }

  /** Where nothing on the device is known, what the host asks for is all there is. */
  private void untimedCommunication(int op) {
    int row = trace.opCommunication(op);
    Kind kind = collectives.kind(row, null, Kind.OTHER_COMMUNICATION);
    // waiting and initialising move nothing
    if (kind != Kind.OTHER_COMMUNICATION) {
      Transfer transfer = collectives.transfer(row);
      String type = collectives.dataType(row);
      table.untimed(key(kind, trace.opName(op), context.around(op), type, transfer));
    }
  }
}
