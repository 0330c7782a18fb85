package org.stage.analyze;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Group;
import org.stage.api.workload.Phase;
import org.stage.arithmetic.Sums;
import org.stage.model.ModelGraph;
import org.stage.plan.JobPlan;
import org.stage.plan.StepPlan;
import org.stage.state.Action;
import org.stage.state.Work;

/** Adds up the actions of a step: each once, times how often it is done. */
public final class Analyzer {
  private final Map<Phase, Long> flops = new EnumMap<>(Phase.class);
  private final Map<String, Analysis.Traffic> traffic = new TreeMap<>();
  private long nodes;
  private long otherFlops;

  private Analyzer() {
    for (Phase phase : Phase.values()) {
      flops.put(phase, 0L);
    }
  }

  /** Analyses a job. */
  public static Analysis of(JobPlan job, ModelGraph model) {
    List<Analysis.OfClass> classes = new ArrayList<>();
    for (StepPlan stage : job.stepPlans()) {
      classes.add(new Analyzer().analyze(job, stage));
    }
    classes.sort(Comparator.comparingInt(of -> of.ranks().first()));
    return new Analysis(
        job.job().model().name(),
        model.parameters(),
        model.activeParameters(),
        job.job().mesh(),
        classes);
  }

  /** The memory of each class over a step, classes in the order of {@link #of}. */
  public static List<MemoryTimeline> memory(JobPlan job) {
    List<MemoryTimeline> timelines = new ArrayList<>();
    for (StepPlan stage : job.stepPlans()) {
      timelines.add(new MemoryModel(job, stage).timeline());
    }
    timelines.sort(Comparator.comparingInt(of -> of.ranks().first()));
    return timelines;
  }

  private Analysis.OfClass analyze(JobPlan job, StepPlan stage) {
    stage.forEach((each, times) -> add(each.action(), times));
    return new Analysis.OfClass(
        stage.stage(),
        stage.ranks(),
        nodes,
        new Analysis.Operations(flops, otherFlops),
        List.copyOf(traffic.values()),
        Sums.of(stage.units().stream().mapToLong(unit -> unit.plan().states().elements())),
        new MemoryModel(job, stage).timeline().peak().memory());
  }

  private void add(Action action, long times) {
    Work work = action.work();
    nodes = Math.addExact(nodes, Math.multiplyExact(times, work.nodes()));
    if (work instanceof Work.Kernel kernel) {
      Phase phase = action.moment().phase();
      flops.merge(phase, Math.multiplyExact(times, kernel.flops()), Math::addExact);
      otherFlops = Math.addExact(otherFlops, Math.multiplyExact(times, kernel.otherFlops()));
    } else if (work instanceof Work.Transfer move) {
      add(move.kind().text(), move.group(), move.type(), times, move.elements());
    } else if (work instanceof Work.Message message) {
      Group pair = new Group.Members(message.axis(), List.of(0, 1));
      if (message.way() != Work.Message.Way.RECEIVE) {
        add("send", pair, message.type(), times, message.elements());
      }
      if (message.way() != Work.Message.Way.SEND) {
        add("recv", pair, message.type(), times, message.elements());
      }
    }
  }

  private void add(String kind, Group group, DataType type, long count, long elements) {
    if (count == 0) {
      return;
    }
    long sum = Math.multiplyExact(count, elements);
    Analysis.Traffic one =
        new Analysis.Traffic(
            kind, group.axisNames(), group.size(), type, count, sum, type.bytes(sum));
    String key = kind + " " + group.axisNames() + " " + group.size() + " " + type.text();
    traffic.merge(key, one, Analyzer::sum);
  }

  private static Analysis.Traffic sum(Analysis.Traffic a, Analysis.Traffic b) {
    return new Analysis.Traffic(
        a.kind(),
        a.axis(),
        a.groupSize(),
        a.type(),
        Math.addExact(a.count(), b.count()),
        Math.addExact(a.elements(), b.elements()),
        Math.addExact(a.bytes(), b.bytes()));
  }
}
