package org.stage.emit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.stage.api.workload.DataType;
import org.stage.api.workload.Details;
import org.stage.api.workload.Group;
import org.stage.api.workload.Ids;
import org.stage.api.workload.MatrixShape;
import org.stage.api.workload.Node;
import org.stage.api.workload.NodeHeader;
import org.stage.api.workload.Position;
import org.stage.api.workload.Precision;
import org.stage.api.workload.RankClass;
import org.stage.api.workload.SubAxis;
import org.stage.api.workload.TensorType;
import org.stage.job.Job;
import org.stage.model.ModelGraph;
import org.stage.module.ModuleLibrary;
import org.stage.plan.Durations;
import org.stage.plan.Instruction;
import org.stage.plan.JobPlan;
import org.stage.state.Moment;
import org.stage.state.Work;
import org.stage.workloadfile.JobText;

/** Small things to emit. */
final class Toys {
  /** Two bytes a weight and an activation, four a gradient. */
  static final Precision MIXED = new Precision(DataType.BF16, DataType.BF16, DataType.FP32);

  /** Both ranks along {@code dp}. */
  static final Group DP = new Group.Along(List.of(new SubAxis("dp", 1, 2)));

  private static final TensorType ONE = new TensorType(List.of(1L, 1L), DataType.BF16);

  /** One product, of one element. */
  static final Work.Kernel KERNEL =
      new Work.Kernel(
          "einsum",
          new MatrixShape(1, 1, 1, 1),
          new Node.Compute.Cost(2, 0, 4, 2),
          List.of(ONE, ONE),
          List.of(ONE));

  private Toys() {}

  static Work allReduce(Group group, long elements) {
    return new Work.Transfer(Node.Collective.Kind.ALL_REDUCE, group, DataType.FP32, elements);
  }

  /** Adds a kernel that waits for its data and for the schedule; its id. */
  static int kernel(GraphWriter graph, String name, int... data) {
    return add(graph, name, KERNEL, graph.turnDeps(Ids.of(data)), data);
  }

  /** Adds a node that waits for its data and for {@code control}; its id. */
  static int add(GraphWriter graph, String name, Work work, Ids control, int... data) {
    int id = graph.next();
    graph.add(header(graph, name, Moment.FORWARD, control, Ids.NONE, data), work);
    return id;
  }

  /** The header of a node that writes {@code writes}. */
  static NodeHeader header(
      GraphWriter graph, String name, Moment moment, Ids control, Ids writes, int... data) {
    return graph.header(
        name,
        Position.UNKNOWN,
        new Instruction(name, moment, KERNEL, List.of(), List.of()),
        new NodeHeader.Dependencies(Ids.of(data), control),
        new NodeHeader.Access(Ids.NONE, writes),
        Details.NONE);
  }

  /** The graphs of a job by rank class, those of low ranks first. */
  static List<Shown> graphs(String yaml) {
    return graphs(yaml, Durations.NONE);
  }

  static List<Shown> graphs(String yaml, Durations durations) {
    List<RankClass> classes = new ArrayList<>(StageEmitter.rankClasses(plan(yaml), durations));
    classes.sort(Comparator.comparingInt(each -> each.ranks().first()));
    return classes.stream().map(each -> new Shown(each.graph())).toList();
  }

  static JobPlan plan(String yaml) {
    Job job = JobText.job(yaml);
    return JobPlan.of(job, ModelGraph.of(job, ModuleLibrary.standard()), ModuleLibrary.standard());
  }

  /**
   * A small Llama.
   *
   * @param model more of the model: {@code layers: 2}
   * @param mesh the mesh: {@code pp: 2}
   * @param training more of the training: {@code global_batch: 2}
   */
  static String llama(String model, String mesh, String training) {
    return "{model: {family: llama, hidden: 8, heads: 2, ffn: 4, vocab: 16, "
        + model
        + "}, mesh: {"
        + mesh
        + "}, training: {seq: 4, "
        + training
        + "}}";
  }
}
